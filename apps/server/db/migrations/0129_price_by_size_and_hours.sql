-- A pricing rule may have other fees for sizes of compartments, and for hours of the day in which a stay begins.

alter table pricing_rule add column rates jsonb not null default '[]'
  constraint pricing_rule_rates_check check (jsonb_typeof(rates) = 'array' and jsonb_array_length(rates) <= 12
    and not jsonb_path_exists(rates, 'strict $[*] ? (!(@.freeMinutes >= 0 && @.perUseFen >= 0 && @.stepMinutes > 0
      && @.stepFen >= 0 && (@.capFen == null || @.capFen >= 0)))')
    and not jsonb_path_exists(rates, 'strict $[*] ? (@.size == null && @.hours == null)'));
