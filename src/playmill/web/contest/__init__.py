"""The site of a served contest: registering, handing in, reports, the ladder as it settles, the organiser's page."""
