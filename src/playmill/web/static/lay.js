// Laying a table.
import { bindSettings } from "./settings.js";
import { bindForm } from "./laying.js";

const form = document.getElementById("lay");
bindSettings(form, document.getElementById("changed"));
bindForm(form);
