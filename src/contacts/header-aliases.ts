/**
 * What a column is for. Every other column is a dynamic variable. `region` is the country of a number without `+`;
 * `country`, `state` and `postal_code` say where the person is.
 */
export type ColumnRole = "phone" | "time_zone" | "region" | PlaceRole | ConsentRole;

/** What was said about being called: a column of these becomes no variable. */
export const CONSENT_ROLES = ["consent_basis", "consent_at", "consent_proof", "consent_expires_at"] as const;

export type ConsentRole = (typeof CONSENT_ROLES)[number];

export const PLACE_ROLES = ["country", "state", "postal_code"] as const;

export type PlaceRole = (typeof PLACE_ROLES)[number];

const letterForms: readonly (readonly [RegExp, string])[] = [
  [/ß/g, "ss"],
  [/ø/g, "o"],
  [/ł/g, "l"],
  [/đ/g, "d"],
  [/ı/g, "i"],
  [/æ/g, "ae"],
  [/œ/g, "oe"],
];

/** A name without case, spaces, underscores, punctuation and diacritics: the form in which names are compared. */
export function foldedName(name: string): string {
  let folded = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  for (const [form, plain] of letterForms) folded = folded.replace(form, plain);
  return folded;
}

const fold = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/).map(foldedName));

/** Names that mean a phone number and nothing else. */
const phoneNames = fold(`
  phone phone_number phone_no phone_nr phone_num phonenumbers phone_e164 e164 e164_phone msisdn
  mobile mobile_phone mobile_number mobile_no mobile_phone_number cell cell_phone cellular cell_number
  cell_phone_number tel tel_no tel_nr tel_number telephone telephone_number telephone_no telno
  contact_phone contact_number customer_phone lead_phone primary_phone main_phone home_phone work_phone
  business_phone to_number whatsapp whatsapp_number
  telefon telefonnummer telefonnr telefon_nr handy handynummer handy_nr mobil mobilnummer mobiltelefon
  mobilfunk mobilfunknummer rufnummer festnetz
  téléphone numéro_de_téléphone numéro_téléphone no_téléphone portable téléphone_portable téléphone_mobile
  numéro_mobile num_tel numtel n_de_téléphone nº_de_téléphone
  teléfono número_de_teléfono número_teléfono numero_telefonico móvil teléfono_móvil celular
  teléfono_celular número_celular número_de_celular
  telefone número_de_telefone telemóvel número_de_telemóvel fone whatsapp_celular
  numero_di_telefono cellulare numero_cellulare telefonino numero_telefono
  telefoon telefoonnummer mobiel mobiel_nummer gsm gsm_nummer
  numer_telefonu komórka telefon_komórkowy telefonní_číslo mobilní_telefon
  telefonszám mobiltelefonszám număr_de_telefon
  mobiltelefonnummer mobilnr tlf tlf_nr tlfnr puhelin puhelinnumero matkapuhelin
  telefon_numarası telefon_no cep cep_telefonu gsm_no
  nomor_telepon telepon no_hp nomor_hp hp no_telp no_telepon số_điện_thoại điện_thoại
  телефон номер_телефона мобильный мобильный_телефон номер_телефону
  τηλέφωνο κινητό 电话 电话号码 手机 手机号 手机号码 電話 電話番号 携帯 携帯電話 携帯番号 電話號碼
  전화 전화번호 휴대폰 휴대폰번호 هاتف رقم_الهاتف جوال טלפון
`);

/** Names that mean a phone number only if no other column says so. */
const weakPhoneNames = fold("number numero número nummer numer номер");

const timeZoneNames = fold(`
  timezone time_zone time_zones tz tzid tz_name tz_id timezone_name timezone_id iana_timezone iana_time_zone
  contact_timezone contact_time_zone local_timezone local_time_zone olson
  zeitzone fuseau_horaire zona_horaria huso_horario fuso_horário fuso_orario tijdzone strefa_czasowa
  časové_pásmo tidszon tidszone tidssone tidsone aikavyöhyke saat_dilimi zona_waktu часовой_пояс
  时区 時區 タイムゾーン 시간대
`);

/**
 * Names of the number's country, best first. `region` is not among them: it mostly holds a sales region or
 * a state, and reading Delaware (DE) as Germany would dial strangers.
 */
const regionNames: readonly ReadonlySet<string>[] = [
  fold("phone_country phone_country_code phone_region default_region"),
  fold("country_code country_iso iso_country iso_country_code country_iso2 iso2 country_iso_code ländercode"),
  fold("country pais país pays paese land ülke kraj země maa negara страна 国家 国 국가"),
];

/** Names of the person's own country, best first: those above that speak of no phone. */
const countryNames = regionNames.slice(1).toReversed();

/** Names of the person's state, best first. `region` is not among them, either: it mostly holds a sales region. */
const stateNames: readonly ReadonlySet<string>[] = [
  fold(`
    state state_code us_state state_province state_prov province province_code prov state_or_province
    home_state residence_state address_state addr_state st_prov
    bundesland bundesstaat provinz estado uf estado_provincia provincia entidad_federativa département
    provincie stato województwo provinsi eyalet область край штат провинция 州 省 州省
  `),
  fold("billing_state mailing_state shipping_state billing_province mailing_province shipping_province"),
];

const postalCodeNames: readonly ReadonlySet<string>[] = [
  fold(`
    postal_code postalcode postcode post_code zip zip_code zipcode zip5 zip_5 zip_postal_code zip_or_postal_code
    us_zip home_zip address_zip postal
    plz postleitzahl code_postal cp código_postal cep codice_postale postnummer postnr
    kod_pocztowy psč kode_pos posta_kodu почтовый_индекс индекс 邮编 邮政编码 郵便番号 우편번호
  `),
  fold("billing_zip mailing_zip shipping_zip billing_postal_code mailing_postal_code shipping_postal_code"),
];

const consentNames: Readonly<Record<ConsentRole, readonly ReadonlySet<string>[]>> = {
  consent_basis: [fold("consent_basis consent_type")],
  consent_at: [fold("consent_at consent_date consented_at consent_obtained_at consent_timestamp")],
  consent_proof: [fold("consent_proof consent_reference consent_url")],
  consent_expires_at: [fold("consent_expires_at consent_expiry consent_expires consent_until")],
};

/** Whether a column of lists says something of consent. */
export function isConsentRole(role: string): role is ConsentRole {
  return CONSENT_ROLES.some((one) => one === role);
}

function best(folded: readonly string[], kinds: readonly ReadonlySet<string>[]): number[] {
  const found = kinds.map((names) => matching(folded, names)).find((columns) => columns.length > 0);
  // Never in doubt: the first column of the best kind is taken, and the layout says which.
  return found?.slice(0, 1) ?? [];
}

function matching(folded: readonly string[], names: ReadonlySet<string>): number[] {
  return folded.flatMap((name, index) => (names.has(name) ? [index] : []));
}

/** The columns, by index, whose names suggest the role: the best kind of name only, so two mean a doubt. */
export function columnsFor(role: ColumnRole, folded: readonly string[]): number[] {
  switch (role) {
    case "phone": {
      const strong = matching(folded, phoneNames);
      return strong.length > 0 ? strong : matching(folded, weakPhoneNames);
    }
    case "time_zone":
      return matching(folded, timeZoneNames);
    case "region":
      return best(folded, regionNames);
    case "country":
      return best(folded, countryNames);
    case "state":
      return best(folded, stateNames);
    case "postal_code":
      return best(folded, postalCodeNames);
    case "consent_basis":
    case "consent_at":
    case "consent_proof":
    case "consent_expires_at":
      return best(folded, consentNames[role]);
  }
}
