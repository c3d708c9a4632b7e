// Written by `npm run holidays` from the package date-holidays, whose data is under CC BY-SA 3.0, and so is this file.
// How it is read: holiday-table.ts.

/** Of the package that it was written from. */
export const PACKAGE_VERSION = "3.37.0";

export const FIRST_YEAR = 2024;
export const LAST_YEAR = 2032;

export const HOLIDAY_NAMES = `New Year's Day
Epiphany
Shrove Tuesday
Constitution Day
Maundy Thursday
Good Friday
Easter Monday
Labour Day
Whit Monday
Assumption
Our Lady of Meritxell
All Saints' Day
Immaculate Conception
Christmas Eve
Christmas Day
Boxing Day
Shrove Monday
Encamp Town Festival
Andorra La Vella Festival
Laylat al-Mi'raj
First day of Ramadan
End of Ramadan (Eid al-Fitr)
Feast of the Sacrifice (Eid al-Adha)
Islamic New Year
Birthday of Muhammad (Mawlid)
National Day
J'Ouvert Morning
Last Lap
Independence Day
V.C Bird Day
Boxing Day (substitute day)
James Ronald Webster Day
Anguilla Day
Celebration of the Birthday of Her Majesty the Queen
August Thursday
August Monday
National Heroes and Heroines Day
New Year Holiday
Summer Day
Sultan Nevruz's Day
Catholic Easter
Orthodox Easter
Mother Teresa Day
Mother Teresa Day (substitute day)
Liberation Day
Youth Day
Youth Day (substitute day)
Sultan Nevruz's Day (substitute day)
Liberation Day (substitute day)
Summer Day (substitute day)
Independence Day (substitute day)
New Year Holiday (substitute day)
Christmas Day (substitute day)
New Year's Day (substitute day)
Pre-Christmas holidays
Army Day
International Women's Day
Mother's Day
Victory and Peace Day
Republic Day
New Year's Eve
International Woman's Day
Peace Day
National Hero Day
All Souls' Day
Day of Remembrance for Truth and Justice
Bridge Day
Day of the Veterans and the Fallen in the Malvinas War
Day of the May Revolution
Anniversary of the Passing to Immortality of General Martín Miguel de Güemes
Anniversary of the Passing to Immortality of General Manuel Belgrano
Anniversary of the Passing to Immortality of General José de San Martín
Day of Respect for Cultural Diversity
Day of National Sovereignty
Immaculate Conception of Mary
Martin Luther King Jr. Day
Washington's Birthday
American Samoa Flag Day
Memorial Day
Juneteenth
Columbus Day
Veterans Day
Thanksgiving Day
Juneteenth (substitute day)
Veterans Day (substitute day)
Staatsfeiertag
Ascension Day
Corpus Christi
National Holiday
Australia Day
Easter Saturday
Easter Sunday
Anzac Day
Canberra Day
Reconciliation Day
King's Birthday
Anzac Day (substitute day)
Bank Holiday
May Day
Picnic Day
Adelaide Cup Day
Proclamation Day
Eight Hours Day
AFL Grand Final Friday
Melbourne Cup
Western Australia Day
Betico Croes Day
National Anthem and Flag Day
Kings Day
National Anthem and Flag Day (substitute day)
Midsummer Eve
Midsummer Day
International Solidarity Day of Azerbaijanis (substitute day)
Spring Festival
Day of Victory over Fascism
National Salvation Day
Feast of the Sacrifice (Eid al-Adha) (substitute day)
Azerbaijan Armed Forces Day
Flag Day
Flag Day (substitute day)
National Revival Day
International Solidarity Day of Azerbaijanis
International Women's Day (substitute day)
End of Ramadan (Eid al-Fitr) (substitute day)
National Salvation Day (substitute day)
Day of Victory over Fascism (substitute day)
Azerbaijan Armed Forces Day (substitute day)
Republic Day (substitute day)
2nd day of the New Year
Orthodox Christmas
Orthodox New Year
2nd day of the Labour Day
2nd day of the Labour Day (substitute day)
2nd day of the New Year (substitute day)
Statehood Day
Day of the Establishment of the District
Victory Day
Dayton Agreement Day
Errol Barrow Day
National Heroes Day
Pentecost
Emancipation Day
Kadooment Day
Public Holiday
Language Martyrs' Day
Mujib's Birthday & Children's Day
Bengali New Year's Day
Buddha's Birthday
Day of Ashura
National Mourning Day
Krishna Janmashtami
Durga Puja
Armistice Day
Anniversary of the 1966 Upper Voltan coup d'état
Proclamation of the Republic
St. George's Day
Bulgarian Education and Culture, and Slavonic Literature Day
Unification Day
Arafat Day
Accession Day
Unity Day
Ntaryamira Day
Rwagasore Day
Ndadaye Day
Fête du Vodoun
Bastille Day
Abolition of Slavery
Bermuda Day
Somers' Day
Remembrance Day
Remembrance Day (substitute day)
Chinese New Year
Nuzul Al-Quran
Armed Forces Day
Sultan's Birthday
Plurinational State Foundation Day
Andean Amazonian Chaqueño New Year
Andean Amazonic Chacoan New Year (substitutes)
Independence Day (substitutes)
Beni Day
Beni Day (substitutes)
Cochabamba Day
Cochabamba Day (substitutes)
Chuquisaca Day
Chuquisaca Day (substitutes)
La Paz Day
La Paz Day (substitutes)
Pando Day
Pando Day (substitutes)
Oruro Day
Oruro Day (substitutes)
Potosí Day
Potosí Day (substitutes)
Santa Cruz Day
Santa Cruz Day (substitutes)
Tarija Day
Tarija Day (substitutes)
Kingdom Day
Carnival Monday
Rincon Day
Bonaire Day
Saba Day
Statia Day
Carnival
Tiradentes' Day
Election Day
Our Lady of Aparecida
Black Awareness Day
Dia do evangélico
Alusivo ao Dia Internacional da Mulher
Aniversário do estado
Dia da Amazônia
São João
São Pedro
Emancipação política
Morte de Zumbi dos Palmares
Elevação do Amazonas à categoria de província
Dia de São José
Criação do Território Federal
Independência da Bahia
Data magna do estado
Fundação de Brasília
Dia do Evangélico
Dia de Nossa Senhora da Penha
Fundação da Cidade de Goiás
Lançamento da pedra fundamental de Goiânia
Nossa Senhora Auxiliadora
Adesão do Maranhão à independência do Brasil
Criação do estado
Adesão do Grão-Pará à independência do Brasil
Homenagem à memória do ex-presidente João Pessoa
Nossa Senhora das Neves
Revolução Pernambucana de 1817
Saint John's Day
Nossa Senhora do Carmo
Dia do Piauí
Emancipação política do estado do Paraná
Nossa Senhora da Luz dos Pinhais
Carnaval
Dia de São Jorge
Dia de São Sebastião
Mártires de Cunhaú e Uruaçu
Proclamação da República Rio-Grandense
Dia de Santa Catarina
Dia de Santa Catarina de Alexandria
Emancipação política de Sergipe
Revolução Constitucionalista
City Birthday
Dia da Consciência Negra
Autonomia do Estado
Nossa Senhora da Natividade
Majority Rule Day
Randol Fawkes Labour Day
National Heroes' Day
National Heroes' Day (substitute day)
Majority Rule Day (substitute day)
New Year's Holiday
Sir Seretse Khama Day
President’s Day
President’s Day Holiday
Botswana Day
Family Day
Commemoration Day
October Revolution Day
George Price Day
National Heroes and Benefactor Day
St. George's Caye Day
Indigenous People’s Resistance Day
Garifuna Settlement Day
Canada Day
Victoria Day
Thanksgiving
British Columbia Day
Louis Riel Day
New Brunswick Day
Heritage Day
National Indigenous Peoples Day
Civic Holiday
Nunavut Day
Islander Day
Gold Cup Parade Day
National Patriots' Day
Saskatchewan Day
Discovery Day
Chinese New Year (2nd Day)
Chinese New Year (substitute day)
Chinese New Year (2nd Day) (substitute day)
Self Determination Day
Hari Raya Puasa
Hari Raya Haji
Hari Raya Haji (substitute day)
Islamic New Year (substitute day)
Hari Maulaud Nabi
Hari Maulaud Nabi (substitute day)
Hari Raya Puasa (substitute day)
Day of the Martyrs
Anniversary of President Laurent Kabila
Anniversary of Prime Minister Patrice Emery Lumumba
Parents' Day
Day of the Martyrs (substitute day)
Anniversary of Prime Minister Patrice Emery Lumumba (substitute day)
Parents' Day (substitute day)
Anniversary of President Laurent Kabila (substitute day)
Boganda Day
General Prayer Day
Fête de la commémoration de la conférence nationale souveraine
Journée nationale de la République
Bundesfeiertag
Federal Day of Thanksgiving, Repentance and Prayer
Berchtoldstag
Saint Joseph
Saint Nicholas of Flüe
Näfelser Fahrt
Fête nationale
Mauritiustag
Saints Peter and Paul
Giorno festivo federale
2 Janvier
Monday after Federal Day of Thanksgiving, Repentance and Prayer
Saint-Berthold
Instauration de la République
Jeûne Genevois
Restoration of the Republic
Jura Plebiscite
Laylat al-Qadr
National Peace Day
Day after New Year's Day
Queen's Birthday
Ra o te Ui Ariki (House of Ariki)
Constitution Day (substitute day)
National Gospel Day
National Gospel Day (substitute day)
Day after New Year's Day (substitute day)
Navy Day
Indigenous People's Day
Our Lady of Mount Carmel
National holiday
Reformation Day
Battle of Arica
Nativity of Liberator Bernardo O'Higgins
Qingming Festival
Children's Day
Dragon Boat Festival
Mid-Autumn Festival
Sacred Heart
Battle of Boyacá
Independence of Cartagena
Virgin of Chiquinquirá
Gesta Heroica de Juan Santamaría
Guanacaste Day
Our Lady of Los Ángeles
Triumph of the Revolution
Victory of Armed Forces Day
Day before the Commemoration of the Assault of the Moncada garrison
Commemoration of the Assault of the Moncada garrison
Day after the Commemoration of the Assault of the Moncada garrison
Democracy Day
Heroes' Day
Ash Wednesday
Dia do Município da Praia
Curaçao Day
Territory Day
Clean Monday
Annunciation, Anniversary of 1821 Revolution
Cyprus National Day
Cyprus Independence Day
Saints Cyril and Methodius Day
Jan Hus Day
St. Wenceslas Day (Czech Statehood Day)
Independent Czechoslovak State Day
Struggle for Freedom and Democracy Day
Liberation Day (80th Anniversary)
75th anniversary of the GDR uprising
Augsburg Peace Festival
Day of Prayer and Repentance
International Children's Day
Carnival Tuesday
National Day of Community Service
Our Lady of Altagracia
Duarte's Birthday
Restoration Day
Our Lady of las Mercedes
Amazigh New Year
Revolution Day
The Battle of Pichincha
Declaration of Independence of Quito
Independence of Guayaquil
Independence of Cuenca
Day of Restoration of Independence
National Police Day
Sinai Liberation Day
Sham El Nessim
30 June Day
First Martyr
May 20 Revolution
Day of National Unity
Fenkil Day
Orthodox Good Friday
Martyrs' Day
Geez New Year
Meskel
Fiesta Nacional de España
Día de la Constitución Española
Día de Andalucía
All Saints' Day (substitute day)
Día de la Constitución Española (substitute day)
Día de Andalucía (substitute day)
Assumption (substitute day)
Día de Aragón
Día de Aragón (substitute day)
Día de Asturias
Día de las Instituciones de Cantabria
La Bien Aparecida
Nuestra Señora de África
Día de Ceuta
Fiesta de Castilla y León
Día de Castilla-La Mancha
Canary Islands Day
Canary Islands Day (substitute day)
Nuestra Señora de los Reyes
Nuestra Señora de la Peña
Nuestra Señora del Pino
Nuestra Señora de Guadalupe
Nuestra Señora de las Nieves
Nuestra Señora de los Dolores
La Bajada de la Virgen del Socorro
San Juan
Dia de Cataluña
San Esteban
Labour Day (substitute day)
Nuestra Señora de la Merced
Día de Extremadura
Día de las Letras Gallegas
Día Nacional de Galicia
Día de les Illes Balears
Día de les Illes Balears (substitute day)
Día de la Comunidad de Madrid
Santiago Apóstol
Día de La Rioja
Victory at Adwa Day
Day of Lament
Derg Downfall Day
Finding of the True Cross
Fiji Day
Diwali
Fiji Day (substitute day)
Great Prayer Day
Women's Day
Early May bank holiday
Spring bank holiday
Homecoming Day
Summer bank holiday
St Patrick’s Day
St Patrick’s Day (substitute day)
Battle of the Boyne (Orangemen’s Day)
Battle of the Boyne (Orangemen’s Day) (substitute day)
January 2nd
St Andrew’s Day
St Andrew’s Day (substitute day)
January 2nd (substitute day)
Bedoba
Orthodox Epiphany
National Unity Day
Saint Andrew the First-Called Day
Saint Mary's Day
Svetitskhovloba
Saint George's Day
Founders Day
Founders Day (substitute day)
Kwame Nkrumah Memorial Day
Kwame Nkrumah Memorial Day (substitute day)
Farmers Day
Commonwealth Day
Workers Memorial Day
Late Summer Bank Holiday
Gibraltar National Day
Gibraltar National Day (substitute day)
Prayer Day
Lailat al-Qadr
Korité
Africa Day
Tabaski
President's Day
Immaculate Conception (substitute day)
Armed Forces Day (substitute day)
Ash Sunday
Bank Employee Day
Day of Race
Santa Catarina de Alejandría
San José Obrero
San Benito de Palermo
Santa Cruz
Primer viernes de Cuaresma
Santo Domingo de Guzmán
San Pedro Apóstol
San Juan Bautista
San Raymundo Peñafort
Virgen de la Candelaria y Sagrado Corazón de Jesús
San Miguel Arcángel
Guam History and Chamorro Heritage Day
Our Lady of Camarin Day
Heroes Day
Pidjiguiti Day
Readjustment Movement Day
Phagwah
Arrival Day
Eid Ul Adha
CARICOM Day
Youman Nabi
Deepavali
The first day of January
Lunar New Year’s Day
The third day of Lunar New Year
The fourth day of Lunar New Year
The day following Good Friday
Ching Ming Festival
Birthday of the Buddha
Tuen Ng Festival
Hong Kong Special Administrative Region Establishment Day
The day following the Chinese Mid-Autumn Festival
Chung Yeung Festival
The first weekday after Christmas Day
The second day of Lunar New Year
The day following Ching Ming Festival
The day following Easter Monday
The day following Birthday of the Buddha
The day following Chung Yeung Festival
The day following Tuen Ng Festival
The day following National Day
The day following Hong Kong Special Administrative Region Establishment Day
The second day following the Chinese Mid-Autumn Festival
Día de las Américas
Soldier's Day
Armed forces Day
Anti-Fascist Struggle Day
Victory and Homeland Thanksgiving Day and the Day of Croatian defenders
Ancestry Day
Lundi Gras
Mardi Gras
Flag and Universities' Day
Anniversary of the death of Dessalines
Battle of Vertières Day
Saint Stephen's Day
Nyepi
Vesak Day
Pancasila Day
St. Brigid’s Day
St. Patrick’s Day
St. Patrick’s Day (substitute day)
First Monday in May
First Monday in June
First Monday in August
Last Monday in October
St. Stephen’s Day
St. Stephen’s Day (substitute day)
Passover (Pesach)
Mimouna, Seventh day of Passover
Independence Day (Yom HaAtzmaut)
Shavuot (Feast of Weeks)
Rosh Hashanah (Yom Teruah)
Rosh Hashanah (Day 2)
Day of Atonement (Yom Kippur)
Feast of Tabernacles (Sukkot)
Simchat Torah/ Shmini Atzeret
Tourist Trophy, Senior Race Day
Tynwald Day
Ambedkar Jayanti
Gandhi Jayanti
Formation Day
State Day
Netaji Subhas Chandra Bose Jayanti
Bihar Day
Guru Gobind Singh Jayanti
Guru Ghasidas Jayanti
Goa Liberation Day
Feast of St. Francis Xavier
Gujarat Day
Sardar Vallabhbhai Patel Jayanti
Himachal Day
Maharana Pratap Jayanti
Maharishi Valmiki Jayanti
Martyrdom Day of Shaheed Udham Singh
Maharaja Agrasen Jayanti
Shaheed Udham Singh Jayanti
Bhanu Jayanti / Martyrs' Day
Basava Jayanti
Hyderabad-Karnataka Liberation Day
Karnataka Formation Day
Kanakadasa Jayanti
Vaisakhi
Kerala Formation Day
Maharashtra Day
YMA Day
Seng Kut Snem
Patriots' Day
Remna Ni
MHIP Day
Indigenous Faith Day
Odisha Day
Shaheed Diwas
De Jure Transfer Day
Rabindra Jayanti
Telangana Formation Day
Swami Vivekananda Jayanti
Bengali New Year
Birthday of Imam Ali
Mabaas of Muhammad
Anniversary of Islamic Revolution
Birthday of Imam Mahdi
Nationalization of the Iranian oil industry
Nowruz
Martyrdom of Imam Ali
Sizdah Bedar
Holyday for Fetr Eeid
Martyrdom of Imam Jafar
Imam Khomeini's Demise
Revolt of Khordad 15
Eid al-Ghadeer
Tasoua
Ashoura
Arbaeen-e Hosseini
Demise of Prophet Muhammad and Imam Hassan (Mujtaba)
Martyrdom of Imam Reza
Martyrdom of Imam Hassan
Birthday of Muhammad Prophet
Martyrdom of Fatima-Zahara
Islamic Republic Day
First Day of Summer
Icelandic National Day
Commerce Day
Liberation from Nazi-Fascism (1945)
National Day of Saint Francis of Assisi
Saint John
Saint Ambrose
Saint Rosalia
Summer Bank Holiday
January 3rd
Coming of Age Day
Foundation Day
Foundation Day (substitute day)
Emperor's Birthday
Spring Equinox Day
Showa Day
Greenery Day
Children's Day (substitute day)
Marine Day
Mountain Day
Mountain Day (substitute day)
Respect-for-the-Aged Day
Autumnal Equinox Day
Autumnal Equinox Day (substitute day)
Sports Day
Culture Day
Culture Day (substitute day)
Labor Thanksgiving Day
Emperor's Birthday (substitute day)
Greenery Day (substitute day)
Labor Thanksgiving Day (substitute day)
Citizens' Holiday
Spring Equinox Day (substitute day)
Showa Day (substitute day)
Madaraka Day
Moi Day
Mashujaa Day
Mashujaa Day (substitute day)
Jamhuri Day
Madaraka Day (substitute day)
Moi Day (substitute day)
Jamhuri Day (substitute day)
Cheikh Al Maarouf Day
Maore Day
Carnival Day
Culturama Day
Korean New Year
Independence Movement Day
Korean Thanksgiving
National Foundation Day
Hangul Day
Independence Movement Day (substitute day)
Korean Thanksgiving (substitute day)
Buddha's Birthday (substitute day)
National Foundation Day (substitute day)
Hangul Day (substitute day)
Nauryz
Nauryz (substitute day)
People's Unity Day
Defender of the Fatherland Day
Eid al-Adha
Capital City Day
Capital City Day (substitute day)
Victory Day (substitute day)
People's Unity Day (substitute day)
Defender of the Fatherland Day (substitute day)
Second New Year's Day
Berchtold Day
Feiertagsbrücke
Mariä Geburt
Duruthu Full Moon Poya Day
Tamil Thai Pongal Day
Navam Full Moon Poya Day
Mahasivarathri Day
Madin Full Moon Poya Day
Id-Ul-Fitr (Ramazan Festival Day)
Bak Full Moon Poya Day
Day before Sinhala and Tamil New Year
Sinhala and Tamil New Year
Labour Day and Vesak Full Moon Poya Day
Day following Vesak Full Moon Poya Day
Id-Ul-Alha (Hadji Festival Day)
Adhi Poson Full Moon Poya Day
Poson Full Moon Poya Day
Esala Full Moon Poya Day
Milad-Un-Nabi (Holy Prophet's Birthday)
Nikini Full Moon Poya Day
Binara Full Moon Poya Day
Vap Full Moon Poya Day
Deepavali Festival Day
Il Full Moon Poya Day
Unduvap Full Moon Poya Day
Decoration Day
J. J. Robert's Day
Fast and Prayer Day
National Unification Day
William Tubman's Birthday
Moshoeshoe Day
Workers' Day
Africa Day/ Heroes' Day
King Letsie III's Birthday
Day of Restoration of the State of Lithuania
Day of Restoration of Independence of Lithuania
St. John's Day
Europe Day
Restoration of Independence day
Restoration of Independence day (substitute day)
Midsummer
Anniversary of the Independence Manifesto
Feast of the Throne
Anniversary of the Recovery Oued Ed-Dahab
Anniversary of the Revolution of the King and the People
Anniversary of the Green March
Saint Devota's Day
H.S.H. the Sovereign Prince's Day
H.S.H. the Sovereign Prince's Day (substitute day)
Saint Devota's Day (substitute day)
National Language Day
Cahul Day
Capital's Day
Pesach
Statehood Day (substitute day)
Yom Kippur
Orthodox Christmas (substitute day)
Orthodox Easter Monday
Day of the Republic
Day of the Macedonian Revolutionary Struggle
Saint Clement of Ohrid Day
Saint Clement of Ohrid Day (substitute day)
Saints Cyril and Methodius Day (substitute day)
Day of the Republic (substitute day)
Revolution Day (substitute day)
Jour de l'Afrique
Festival Day (substitute day)
Saint Patrick's Day
Saint Patrick's Day (substitute day)
Queen's Birthday Celebration
Festival Day
Feast of Saint Paul's Shipwreck in Malta
Freedom Day
June 7th
Thaipoosam Cavadee
Chinese Spring Festival
Maha Shivaratree
Ugadi
Eid-Ul-Fitr
Ganesh Chaturthi
Arrival of Indentured Labourers
Divali
John Chilembwe Day
Eid al Fitri
Kamuzu Day
Eid al Fitri (substitute day)
John Chilembwe Day (substitute day)
Kamuzu Day (substitute day)
Mother's Day (substitute day)
Benito Juárez's birthday
Change of Federal Government
Day of the Virgin of Guadalupe
Day of Nuzul Al-Quran
Yang di-Pertuan Agong's Birthday
Malaysia Day
Malaysia Day (substitute day)
Thaipusam
Sultan of Selangor's Birthday
Anniversary of Installation of the Sultan of Terengganu
Sultan of Terengganu's Birthday
Tadau Kaamatan
Sabah State Governor's Birthday
Gawai Dayak
Sarawak Independence Day
Sarawak State Governor's Birthday
Federal Territory Day
Sultan of Johor's Birthday
Hari Hol of Sultan Iskandar of Johor
Sultan of Kedah's Birthday
Sultan of Kelantan's Birthday
Declaration of Malacca City as Historical City
Melaka State Governor's Birthday
Yang di-Pertuan Besar of Negeri Sembilan's Birthday
Hari Hol of Pahang
Sultan of Pahang's Birthday
Penang State Governor's Birthday
Declaration of George Town as World Heritage Site
Sultan of Perak's Birthday
Raja of Perlis's Birthday
Heroes’ Day
Women’s Day
Lusaka Peace Agreement
Defense Force’s Day
Peace and Reconciliation Day
Workers Day
Cassinga Day
Human Rights Day
Jour de l'an
New Caledonia Day
Concord Day
Anniversary (Bounty) Day
Norfolk Island Agricultural Show
Id el Fitr
Worker's Day
Id el Kabir
National Youth Day
Worker's Day (substitute day)
Democracy Day (substitute day)
Battle of San Jacinto
Indigenous Resistance Day
King's Day
Waitangi Day
ANZAC Day
Matariki
ANZAC Day (substitute day)
Waitangi Day (substitute day)
Provincial anniversary day
Christchurch Show Day
Presidential Inauguration
Separation Day (from Columbia)
Separation Day (from Columbia) (substitute day)
Colón Day
Primer Grito de Independencia
Primer Grito de Independencia (substitute day)
National Mourning Day (substitute day)
Martyrs' Day (substitute day)
Colón Day (substitute day)
Battle of Arica and Flag Day
Peruvian Air Force Day
Battle of Junín
Santa Rosa de Lima
Battle of Angamos
Battle of Ayacucho
Missionary Day
Internal Autonomy Day
Maori New Year
Day of Valor
Bonifacio Day
Rizal Day
Kashmir Day
Pakistan Day
Youm-e-Takbeer
Ashura
Iqbal Day
Quaid-e-Azam Day
Birthday of Eugenio María de Hostos
Birthday of Luis Muñoz Marín
American Citizenship Day
Birthday of José de Diego
Birthday of Don Luis Muñoz Rivera
Puerto Rico Constitution Day
Birthday of Dr. José Celso Barbosa
Discovery of Puerto Rico
Liberty Day
Portugal Day
Implantação da República
Restauração da Independência
Chaco Armistice
Boqueron Battle Victory Day
Virgin of Caacupe
Recognition of the historic victory of the Paraguayan national football team over Germany
Saint John the Baptist
Day of the Unification of the Romanian Principalities
St Andrew's Day
Spring and Labour Day
Russia Day
Uraza-Bayram
Day of Remembrance of the Departed (Radonitsa)
Kurban-Bayram
Republic of Adygea Formation Day
Day of the Formation of the Altai Republic
Republic of Bashkortostan Day
Prokhorovka Field Day - Russia's Third Military Field
Radonitsa - Day of Special Remembrance of the Departed
White Month Festival (Sagaalgan)
Constitution Day of the Chechen Republic
Peace Day in the Chechen Republic
Day of the Reunification of Crimea with Russia
Trinity Sunday
Day of the Chuvash Republic
Day of Special Remembrance of the Departed (Radonitsa)
Constitution Day of the Republic of Dagestan
Day of Unity of the Peoples of Dagestan
Eid al-Fitr (Markhash)
Eid al-Adha (Ghurba)
Unity Day of Remembrance
Day of the Revival of the Balkar People
Day of Remembrance of the Adyghe (Circassian) Victims of the Russian-Caucasian War
Statehood Day of the Kabardino-Balkar Republic
Adyghe (Circassian) Day
Day of the Revival of the Karachay People
Radonitsa - Day of Remembrance of the Departed
Republic of Kalmykia Day
Zul
Day of Remembrance of the Victims of the Deportation of the Kalmyk People
Tsagan Sar
Birthday of Buddha Shakyamuni
Republic of Komi Day
Republic of Karelia Day
25th Anniversary of the Canonization of Righteous Warrior Fyodor Ushakov
First Monday of the Uastyrdzhi (Djeorguiba) Festival
Unified Day of Remembrance of the Departed
Republic of Sakha (Yakutia) Day
Ysyakh National Holiday
Day of Sevastopol's Return to Russia
Sevastopol City Foundation Day
Republic of Tatarstan Day
Constitution Day of the Republic of Tatarstan
Shagaa
Constitution Day of the Republic of Tuva
Naadym
Republic of Tuva Day
Genocide Memorial Day
National Harvest Day
Founding Day
Coptic Christmas
Coptic Easter
National Day (substitute day)
Saint Helena Day
August Bank Holiday
Anniversary Day
Prešeren Day, the Slovenian Cultural Holiday
Day of Uprising Against Occupation
Day of Remembrance for the Dead
Independence and Unity Day
Day of victory over fascism
Slovak National Uprising anniversary
Day of Our Lady of the Seven Sorrows
Tabaski (substitute day)
Mawlid
Mawlid (substitute day)
Korité (substitute day)
Feast of Saint Agatha
Anniversary of the Arengo
Inauguration Ceremony
Liberation from Fascism
The Feast of San Marino and the Republic
Cerimonia di investitura dei Capitani Reggenti
Commemoration of the deceased
Magal de Touba
Independence of British Somaliland
Restoration of Somaliland Sovereignty
Day of Liberation and Innovation
Holi Phagwa
Day of the Maroons
Peace Agreement Day
SPLA Day
Martyrs Day
Agricultural Reform Day
São Tomé Day (substitute day)
São Tomé Day
Agricultural Reform Day (substitute day)
Celebración del Divino Salvador del Mundo
Fiestas Agostinas
Sint Maarten Day
Birthday of King Mswati III
National Flag Day
Birthday of the late King Sobhuza
Umhlanga Reed Dance
Incwala Festival
Birthday of King Mswati III (substitute day)
National Flag Day (substitute day)
Birthday of the late King Sobhuza (substitute day)
National Heritage Day
National Day of Thanksgiving
Freedom and Democracy Day
Makha Bucha
Chakri Memorial Day
Songkran Festival
Coronation Day
Queen Suthida's Birthday
Asalha Puja
Buddhist Lent
The Queen Mother's Birthday
King Bhumibol Adulyadej Memorial Day
King Chulalongkorn Day
King Bhumibol Adulyadej's Birthday
عيد الثورة و الشباب
عيد الإستقلال
عيد الشهداء
عيد الجمهورية
عيد المرأة
عيد الجلاء
Official Birthday of His Majesty King Tupou VI
Birthday of His Royal Highness The Crown Prince Tupotoʻa-ʻUlukalala
Constitutional Day
Anniversary of the Coronation of H.M. King George Tupou I
National Sovereignty and Children's Day
Labour and Solidarity Day
Commemoration of Atatürk, Youth and Sports Day
Democracy and National Unity Day
Spiritual Baptist Liberation Day
Indian Arrival Day
Indian Arrival Day (substitute day)
Emancipation Day (substitute day)
Spiritual Baptist Liberation Day (substitute day)
Founding of the Republic of China
Chinese New Year's Eve
The second day of the Chinese New Year
The third day of the Chinese New Year
The forth day of the Chinese New Year
Chinese New Year Holiday
Peace Memorial Day
National Day / Double Tenth Day
Tomb Sweeping Day
Tomb Sweeping Day (substitute day)
Peace Memorial Day (substitute day)
National Day / Double Tenth Day (substitute day)
Founding of the Republic of China (substitute day)
Dragon Boat Festival (substitute day)
Mid-Autumn Festival (substitute day)
Zanzibar Revolution Day
Karume Day
Union Day
Saba Saba Day
Nane Nane Day
Maulid Day
Nyerere Day
New Year
Orthodox Easter (substitute day)
Pentecost (substitute day)
Defenders of Ukraine Day
New Year (substitute day)
Defenders of Ukraine Day (substitute day)
Archbishop Janan Luwum Day
Martyr's Day
Robert E. Lee/Martin Luther King Birthday
George Washington/Thomas Jefferson Birthday
Confederate Memorial Day
Jefferson Davis' birthday
Seward's Day
Indigenous Peoples' Day
Alaska Day
Dr. Martin Luther King Jr./ Civil Rights Day
Lincoln/Washington Presidents' Day
Dr. Martin Luther King Jr./Robert E. Lee's Birthdays
George Washington's Birthday/Daisy Gatson Bates Day
Presidents' Day
César Chávez Day
César Chávez Day (substitute day)
Day after Thanksgiving Day
Washington-Lincoln Day
Frances Xavier Cabrini Day
Lincoln's Birthday
Day After Thanksgiving
Susan B. Anthony Day
Commemoration of America's 250th Birthday
State Holiday
Washington's Birthday (substitute day)
Prince Jonah Kuhio Kalanianaole Day
Kamehameha Day
General Election Day
Prince Jonah Kuhio Kalanianaole Day (substitute day)
Kamehameha Day (substitute day)
Martin Luther King, Jr./ Idaho Human Rights Day
Casimir Pulaski Day
Malcolm X Day
Primary Election Day
Washington's Birthday/President's Day
Native American Heritage Day
Evacuation Day
Bunker Hill Day
Washington's and Lincoln's Birthday
Martin Luther King's and Robert E. Lee's Birthdays
Truman Day
Lincoln's and Washington's Birthday
Arbor Day
Presidents Day
Nevada Day
Martin Luther King, Jr./ Civil Rights Day
Day after Thanksgiving
Christmas Eve (substitute day)
Native American Day
Day after Christmas
Washington and Lincoln Day
Pioneer Day
Town Meeting Day
Bennington Battle Day
George Washington Day
West Virginia Day
Lincoln's Day
Eid al-Fitr
Day of Memory and Honour
Eid al-Adha (substitute day)
Teachers and Mentors Day
Eid al-Fitr (substitute day)
Nowruz (substitute day)
Day of Memory and Honour (substitute day)
Teachers and Mentors Day (substitute day)
Solemnity of Mary, Mother of God
Anniversary of the foundation of Vatican City
Anniversary of the election of Pope Francis
In Albis Tuesday
Saint George - Name day of the Holy Father
Saint Joseph the Worker
Summer holiday
St. John
Saint Robert Bellarmine - Name day of the Holy Father
Anniversary of the election of Pope Leo XIV
National Hero′s Day
National Hero′s Day (substitute day)
Declaration of Independence
Battle of Carabobo
Birthday of Simón Bolívar
Day of Indigenous Resistance
Natalicio de José Antonio Anzoátegui
Día de la Virgen del Socorro
Día de La Divina Pastora
Natalicio de Jacinto Lara
Día de Barquisimeto
Día de Maturin
Natalicio de Rafael Urdaneta
Día de la Virgen de la Chinita
The Anniversary of the Birth of Hamilton Lavity Stoutt
Sovereign’s Birthday
Virgin Islands Day
Emancipation Monday
Emancipation Tuesday
Emancipation Wednesday
St. Ursula’s Day
Three Kings Day
Transfer Day
Hurricane Supplication Day
Virgin Islands–Puerto Rico Friendship Day
Vietnamese New Year Holidays
Hung Kings Commemorations
Day of liberating the South for national reunification
Mémoire du père de l'indépendance Rév. Dr. W.H. Lini
Fête des chefs coutumiers
Journée Mondiale des Enfants
Jour de l'Unité
Fête de Famille
Saint Pierre Chanel Day
Saints Peter and Paul Day
Voting Day
National Women's Day
Day of Reconciliation
Day of Goodwill
Kenneth Kaunda Day
African Freedom Day
Farmers' Day
National Day of Prayers
African Freedom Day (substitute day)
National Day of Prayers (substitute day)
Defence Forces Day`;

export const HOLIDAY_PLACES = `AD 0.0,5.1,50.2,73.3,87@840.4,88.5,91.6,121.7,140.8,227.9,251.a,305.b,342.c,358.d,359.e,360.f;0.0,5.1,61.g,72.3,106@840.4,107.5,110.6,120.7,159.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,46.g,72.3,91@840.4,92.5,95.6,120.7,144.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,38.g,72.3,83@840.4,84.5,87.6,120.7,136.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,58.g,73.3,103@840.4,104.5,107.6,121.7,156.8,227.9,251.a,305.b,342.c,358.d,359.e,360.f;0.0,5.1,42.g,72.3,87@840.4,88.5,91.6,120.7,140.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,62.g,72.3,107@840.4,108.5,111.6,120.7,160.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,54.g,72.3,99@840.4,100.5,103.6,120.7,152.8,226.9,250.a,304.b,341.c,357.d,358.e,359.f;0.0,5.1,39.g,73.3,84@840.4,85.5,88.6,121.7,137.8,227.9,251.a,305.b,342.c,358.d,359.e,360.f
AD-03 172.h,173.h,174.h,175.h;171.h,172.h,173.h;170.h,171.h,172.h;;;;;;
AD-07 214.i,215.i,216.i,217.i;212.i,213.i,214.i,215.i;212.i,213.i,214.i;;;;;;
AE 0.0,37@1080.j,38.j,69@1080.k,70.k,99@1080.l,100.l,101.l,102.l,166@1080.m,167.m,168.m,169.m,187@1080.n,188.n,257@1080.o,258.o,336.p;0.0,25@1080.j,26.j,58@1080.k,59.k,87@1080.l,88.l,89.l,90.l,155@1080.m,156.m,157.m,158.m,175@1080.n,176.n,245@1080.o,246.o,335.p;0.0,14@1080.j,15.j,47@1080.k,48.k,77@1080.l,78.l,79.l,80.l,145@1080.m,146.m,147.m,148.m,165@1080.n,166.n,235@1080.o,236.o,335.p;0.0,3@1080.j,4.j,37@1080.k,38.k,66@1080.l,67.l,68.l,69.l,134@1080.m,135.m,136.m,137.m,155@1080.n,156.n,224@1080.o,225.o,335.p,357@1080.j,358.j;0.0,26@1080.k,27.k,55@1080.l,56.l,57.l,58.l,124@1080.m,125.m,126.m,127.m,144@1080.n,145.n,214@1080.o,215.o,336.p,347@1080.j,348.j;0.0,14@1080.k,15.k,43@1080.l,44.l,45.l,46.l,112@1080.m,113.m,114.m,115.m,132@1080.n,133.n,203@1080.o,204.o,335.p,336.j;0.0,3@1080.k,4.k,33@1080.l,34.l,35.l,36.l,101@1080.m,102.m,103.m,104.m,121@1080.n,122.n,192@1080.o,193.o,325@1080.j,326.j,335.p,358@1080.k,359.k;0.0,22@1080.l,23.l,24.l,25.l,90@1080.m,91.m,92.m,93.m,111@1080.n,112.n,181@1080.o,182.o,314@1080.j,315.j,335.p,347@1080.k,348.k;0.0,12@1080.l,13.l,14.l,15.l,80@1080.m,81.m,82.m,83.m,100@1080.n,101.n,170@1080.o,171.o,304@1080.j,305.j,336.p,337@1080.k,338.k
AG 0.0,88.5,91.6,121.7,140.8,213.q,214.r,305.s,343.t,359.e,360.f;0.0,107.5,110.6,120.7,159.8,212.q,213.r,306.s,342.t,358.e,359.f;0.0,92.5,95.6,120.7,144.8,212.q,213.r,305.s,342.t,358.e,359.f;0.0,84.5,87.6,120.7,136.8,212.q,213.r,304.s,342.t,358.e,359.f,360.u;0.0,104.5,107.6,121.7,156.8,213.q,214.r,305.s,343.t,359.e,360.f;0.0,88.5,91.6,120.7,140.8,212.q,213.r,304.s,342.t,358.e,359.f;0.0,108.5,111.6,120.7,160.8,212.q,213.r,304.s,342.t,358.e,359.f;0.0,100.5,103.6,120.7,152.8,212.q,213.r,306.s,342.t,358.e,359.f;0.0,85.5,88.6,121.7,137.8,213.q,214.r,305.s,343.t,359.e,360.f,361.u
AG-10 ;;;;;;;;
AI 0.0,61.v,88.5,91.6,121.7,140.8,150.w,161.x,213.y,214.3,217.z,353.10,359.e,360.f;0.0,60.v,107.5,110.6,120.7,149.w,159.8,212.3,215.z,218.y,352.10,358.e,359.f;0.0,60.v,92.5,95.6,120.7,144.8,149.w,158.x,214.z,217.y,218.3,352.10,358.e,359.f;0.0,60.v,84.5,87.6,120.7,136.8,149.w,164.x,213.z,216.y,217.3,352.10,358.e,359.f,360.u;0.0,61.v,104.5,107.6,121.7,150.w,156.8,163.x,215.y,216.3,219.z,353.10,359.e,360.f;0.0,60.v,88.5,91.6,120.7,140.8,149.w,161.x,213.y,214.3,217.z,352.10,358.e,359.f;0.0,60.v,108.5,111.6,120.7,149.w,160.8,212.y,213.3,216.z,352.10,358.e,359.f;0.0,60.v,100.5,103.6,120.7,149.w,152.8,159.x,212.3,215.z,218.y,352.10,358.e,359.f;0.0,61.v,85.5,88.6,121.7,137.8,150.w,165.x,214.z,217.y,218.3,353.10,359.e,360.f,361.u
AL 0.0,1.11,73.12,81.13,90.14,91.14,99@1080.l,100.l,121.7,125.15,126.15,166@1080.m,167.m,292.16,294.17,332.s,333.18,342.19,343.1a,358.d,359.e;0.0,1.11,72.12,80.13,82.1b,87@1080.l,88.l,109.14,110.14,120.7,155@1080.m,156.m,291.16,292.17,331.s,332.18,334.1c,341.19,357.d,358.e;0.0,1.11,72.12,74.1d,77@1080.l,78.l,80.13,81.1b,94.14,95.14,101.15,102.15,120.7,145@1080.m,146.m,291.16,331.s,332.18,333.1e,341.19,357.d,358.e;0.0,1.11,3.1f,66@1080.l,67.l,72.12,73.1d,80.13,86.14,87.14,120.7,121.15,122.15,134@1080.m,135.m,291.16,331.s,332.1e,341.19,357.d,358.e,360.1g;0.0,1.11,2.1h,3.1f,55@1080.l,56.l,73.12,81.13,106.14,107.14,121.7,124@1080.m,125.m,292.16,332.s,333.18,342.19,358.d,359.e;0.0,1.11,43@1080.l,44.l,72.12,80.13,90.14,91.14,97.15,98.15,112@1080.m,113.m,120.7,291.16,331.s,332.18,341.19,343.1a,357.d,358.e;0.0,1.11,33@1080.l,34.l,72.12,80.13,101@1080.m,102.m,110.14,111.14,117.15,118.15,120.7,291.16,293.17,331.s,332.18,341.19,342.1a,357.d,358.e;0.0,1.11,22@1080.l,23.l,72.12,80.13,82.1b,90@1080.m,91.m,102.14,103.14,120.7,291.16,292.17,331.s,332.18,334.1c,341.19,357.d,358.e;0.0,1.11,12@1080.l,13.l,73.12,74.1d,80@1080.m,81.m,87.14,88.14,121.7,122.15,123.15,292.16,332.s,333.1e,342.19,358.d,359.e,361.1g
AM 0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,67.1k,114.1l,121.7,129.1m,148.1n,186.3,264.s,365.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,67.1k,114.1l,121.7,129.1m,148.1n,186.3,264.s,365.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,66.1k,113.1l,120.7,128.1m,147.1n,185.3,263.s,364.1o;0.0,1.0,2.1i,3.1i,4.1i,5.e,27.1j,67.1k,114.1l,121.7,129.1m,148.1n,186.3,264.s,365.1o
AO 0.0,34.18,43.2,67.1p,88.5,94.1q,121.7,260.1r,306.1s,315.s,359.e;0.0,34.18,62.2,66.1p,93.1q,107.5,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,47.2,66.1p,92.5,93.1q,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,39.2,66.1p,84.5,93.1q,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,59.2,67.1p,94.1q,104.5,121.7,260.1r,306.1s,315.s,359.e;0.0,34.18,43.2,66.1p,88.5,93.1q,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,63.2,66.1p,93.1q,108.5,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,55.2,66.1p,93.1q,100.5,120.7,259.1r,305.1s,314.s,358.e;0.0,34.18,40.2,67.1p,85.5,94.1q,121.7,260.1r,306.1s,315.s,359.e
AR 0.0,42.g,43.2,83.1t,87.4,88.5,91.1u,92.1v,121.7,145.1w,168.1x,171.1y,172.1u,190.s,229.1z,284.1u,285.20,322.21,342.22,359.e;0.0,61.g,62.2,82.1t,91.1v,106.4,107.5,120.7,121.1u,144.1w,166.1x,170.1y,189.s,226.1u,228.1z,284.20,324.1u,327.21,341.22,358.e;0.0,46.g,47.2,82.1t,91.1v,92.5,120.7,144.1w,165.1x,170.1y,189.s,228.1z,284.20,326.21,341.22,358.e;0.0,38.g,39.2,82.1t,83.4,84.5,91.1v,120.7,144.1w,170.1y,171.1x,189.s,227.1z,283.20,323.21,341.22,358.e;0.0,58.g,59.2,83.1t,92.1v,103.4,104.5,121.7,145.1w,168.1x,171.1y,190.s,233.1z,289.20,324.21,342.22,359.e;0.0,42.g,43.2,82.1t,87.4,88.5,91.1v,120.7,144.1w,167.1x,170.1y,189.s,231.1z,287.20,322.21,341.22,358.e;0.0,62.g,63.2,82.1t,91.1v,107.4,108.5,120.7,144.1w,167.1x,170.1y,189.s,228.1z,284.20,321.21,341.22,358.e;0.0,54.g,55.2,82.1t,91.1v,99.4,100.5,120.7,144.1w,166.1x,170.1y,189.s,228.1z,284.20,327.21,341.22,358.e;0.0,39.g,40.2,83.1t,84.4,85.5,92.1v,121.7,145.1w,171.1y,172.1x,190.s,228.1z,284.20,324.21,342.22,359.e
AS 0.0,14.23,49.24,107.25,147.26,170.27,185.s,245.7,287.28,315.29,332.2a,358@720.d,359.e,365@720.1o;0.0,19.23,47.24,106.25,145.26,169.27,184.s,243.7,285.28,314.29,330.2a,357@720.d,358.e,364@720.1o;0.0,18.23,46.24,106.25,144.26,169.27,183.1e,184.s,249.7,284.28,314.29,329.2a,357@720.d,358.e,364@720.1o;0.0,17.23,45.24,106.25,150.26,168.2b,169.27,184.s,185.1e,248.7,283.28,314.29,328.2a,357.1g,358.e,364.1h;0.0,16.23,51.24,107.25,149.26,170.27,185.s,247.7,282.28,314.2c,315.29,327.2a,358@720.d,359.e,365@720.1o;0.0,14.23,49.24,106.25,147.26,169.27,184.s,245.7,280.28,314.29,315.2c,325.2a,357@720.d,358.e,364@720.1o;0.0,20.23,48.24,106.25,146.26,169.27,184.s,244.7,286.28,314.29,331.2a,357@720.d,358.e,364@720.1o;0.0,19.23,47.24,106.25,145.26,169.27,184.s,243.7,285.28,314.29,330.2a,357@720.d,358.e,364@720.1o;0.0,18.23,46.24,107.25,151.26,169.2b,170.27,185.s,186.1e,249.7,284.28,315.29,329.2a,358.1g,359.e,365.1h
AT 0.0,5.1,91.6,121.2d,129.2e,140.8,150.2f,227.9,299.2g,305.b,342.c,358@840.d,359.e,360.f,365@840.1o;0.0,5.1,110.6,120.2d,148.2e,159.8,169.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,95.6,120.2d,133.2e,144.8,154.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,87.6,120.2d,125.2e,136.8,146.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,107.6,121.2d,145.2e,156.8,166.2f,227.9,299.2g,305.b,342.c,358.d,359.e,360.f,365.1o;0.0,5.1,91.6,120.2d,129.2e,140.8,150.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,111.6,120.2d,149.2e,160.8,170.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,103.6,120.2d,141.2e,152.8,162.2f,226.9,298.2g,304.b,341.c,357@840.d,358.e,359.f,364@840.1o;0.0,5.1,88.6,121.2d,126.2e,137.8,147.2f,227.9,299.2g,305.b,342.c,358@840.d,359.e,360.f,365@840.1o
AT-1 ;;;;;;;;
AT-2 ;;;;;;;;
AT-3 ;;;;;;;;
AT-4 ;;;;;;;;
AT-5 ;;;;;;;;
AT-6 ;;;;;;;;
AT-7 ;;;;;;;;
AT-8 ;;;;;;;;
AT-9 ;;;;;;;;
AU 0.0,25.2h,88.5,89.2i,90.2j,91.6,115.2k,359.e,360.f;0.0,26.2h,107.5,108.2i,109.2j,110.6,114.2k,358.e,359.f;0.0,25.2h,92.5,93.2i,94.2j,95.6,114.2k,358.e,359.f,361.u;0.0,25.2h,84.5,85.2i,86.2j,87.6,114.2k,358.e,359.f,360.1g,361.u;0.0,2.0,25.2h,104.5,105.2i,106.2j,107.6,115.2k,359.e,360.f;0.0,25.2h,88.5,89.2i,90.2j,91.6,114.2k,358.e,359.f;0.0,27.2h,108.5,109.2i,110.2j,111.6,114.2k,358.e,359.f;0.0,26.2h,100.5,101.2i,102.2j,103.6,114.2k,358.e,359.f;0.0,25.2h,85.5,86.2i,87.2j,88.6,115.2k,359.e,360.f,361.1g,362.u
AU-ACT 70.2l,147.2m,161.2n,280.7;68.2l,152.2m,159.2n,278.7;67.2l,116.2o,151.2m,158.2n,277.7;66.2l,115.2o,150.2m,164.2n,276.7;72.2l,149.2m,163.2n,275.7;70.2l,147.2m,161.2n,273.7;69.2l,146.2m,160.2n,279.7;68.2l,152.2m,159.2n,278.7;67.2l,116.2o,151.2m,165.2n,277.7
AU-NSW 161.2n,217.2p,280.7;159.2n,215.2p,278.7;116.2o,158.2n,214.2p,277.7;115.2o,164.2n,213.2p,276.7;163.2n,219.2p,275.7;161.2n,217.2p,273.7;160.2n,216.2p,279.7;159.2n,215.2p,278.7;116.2o,165.2n,214.2p,277.7
AU-NT 126.2q,161.2n,217.2r,358@1140.d,365@1140.1o;124.2q,159.2n,215.2r,357@1140.d,364@1140.1o;123.2q,158.2n,214.2r,357@1140.d,364@1140.1o;!114.2k,!358.e,!360.1g,115.2k,122.2q,164.2n,213.2r,357@1140.d,360.e,364@1140.1o;121.2q,163.2n,219.2r,358@1140.d,365@1140.1o;126.2q,161.2n,217.2r,357@1140.d,364@1140.1o;125.2q,160.2n,216.2r,357@1140.d,364@1140.1o;124.2q,159.2n,215.2r,357@1140.d,364@1140.1o;!115.2k,!359.e,!361.1g,116.2k,123.2q,165.2n,214.2r,358@1140.d,361.e,365@1140.1o
AU-QLD 126.7,280.2n,358@1080.d;124.7,278.2n,357@1080.d;123.7,277.2n,357@1080.d;!114.2k,115.2k,122.7,276.2n,357@1080.d;121.7,275.2n,358@1080.d;126.7,273.2n,357@1080.d;125.7,279.2n,357@1080.d;124.7,278.2n,357@1080.d;!115.2k,116.2k,123.7,277.2n,358@1080.d
AU-SA !360.f,70.2s,161.2n,280.7,358@1140.d,360.2t,365@1140.1o;!359.f,68.2s,159.2n,278.7,357@1140.d,359.2t,364@1140.1o;!359.f,!361.u,67.2s,158.2n,277.7,357@1140.d,359.2t,361.2t,364@1140.1o;!358.e,!359.f,!360.1g,!361.u,66.2s,164.2n,276.7,357@1140.d,359.2t,360.e,361.2t,364@1140.1o;!360.f,72.2s,163.2n,275.7,358@1140.d,360.2t,365@1140.1o;!359.f,70.2s,161.2n,273.7,357@1140.d,359.2t,364@1140.1o;!359.f,69.2s,160.2n,279.7,357@1140.d,359.2t,364@1140.1o;!359.f,68.2s,159.2n,278.7,357@1140.d,359.2t,364@1140.1o;!359.e,!360.f,!361.1g,!362.u,67.2s,165.2n,277.7,358@1140.d,360.2t,361.e,362.2t,365@1140.1o
AU-TAS !89.2i,!90.2j,70.2u,161.2n;!108.2i,!109.2j,68.2u,159.2n;!93.2i,!94.2j,!359.f,!361.u,67.2u,158.2n,361.f;!85.2i,!86.2j,!359.f,!361.u,66.2u,164.2n,361.f;!0.0,!105.2i,!106.2j,72.2u,163.2n;!89.2i,!90.2j,70.2u,161.2n;!109.2i,!110.2j,69.2u,160.2n;!101.2i,!102.2j,68.2u,159.2n;!86.2i,!87.2j,!360.f,!362.u,67.2u,165.2n,362.f
AU-VIC 70.7,161.2n,270.2v,309.2w;68.7,159.2n,268.2v,307.2w;67.7,158.2n,267.2v,306.2w;66.7,164.2n,266.2v,305.2w;72.7,163.2n,272.2v,311.2w;70.7,161.2n,270.2v,309.2w;69.7,160.2n,269.2v,308.2w;68.7,159.2n,268.2v,307.2w;67.7,165.2n,267.2v,306.2w
AU-WA !89.2i,63.7,154.2x,266.2n;!108.2i,61.7,152.2x,271.2n;!93.2i,60.7,116.2o,151.2x,270.2n;!85.2i,59.7,115.2o,157.2x,269.2n;!105.2i,65.7,156.2x,268.2n;!89.2i,63.7,154.2x,266.2n;!109.2i,62.7,153.2x,272.2n;!101.2i,61.7,152.2x,271.2n;!86.2i,60.7,116.2o,158.2x,270.2n
AW 0.0,24.2y,42.g,77.2z,88.5,91.6,117.30,121.7,129.2e,359.e,360.f;0.0,24.2y,61.g,76.2z,107.5,110.6,116.30,120.7,148.2e,358.e,359.f;0.0,24.2y,46.g,76.2z,92.5,95.6,116.30,120.7,133.2e,358.e,359.f;0.0,24.2y,38.g,76.2z,84.5,87.6,116.30,120.7,125.2e,358.e,359.f;0.0,24.2y,58.g,76.31,77.2z,104.5,107.6,117.30,121.7,145.2e,359.e,360.f;0.0,24.2y,42.g,76.2z,77.31,88.5,91.6,116.30,120.7,129.2e,358.e,359.f;0.0,24.2y,62.g,76.2z,108.5,111.6,116.30,120.7,149.2e,358.e,359.f;0.0,24.2y,54.g,76.2z,100.5,103.6,116.30,120.7,141.2e,358.e,359.f;0.0,24.2y,39.g,77.2z,85.5,88.6,117.30,121.7,126.2e,359.e,360.f
AX 0.0,5.1,88.5,91.6,121.7,129.2e,172.32,173.33,340.s,358@720.d,359.e,360.f,365@720.1o;0.0,5.1,107.5,110.6,120.7,148.2e,170.32,171.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,92.5,95.6,120.7,133.2e,169.32,170.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,84.5,87.6,120.7,125.2e,175.32,176.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,104.5,107.6,121.7,145.2e,174.32,175.33,340.s,358@720.d,359.e,360.f,365@720.1o;0.0,5.1,88.5,91.6,120.7,129.2e,172.32,173.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,108.5,111.6,120.7,149.2e,171.32,172.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,100.5,103.6,120.7,141.2e,170.32,171.33,339.s,357@720.d,358.e,359.f,364@720.1o;0.0,5.1,85.5,88.6,121.7,126.2e,176.32,177.33,340.s,358@720.d,359.e,360.f,365@720.1o
AZ 0.34,1.0,67.1k,79.35,99@1080.l,100.l,101.l,129.36,148.1n,166.37,167.m,168.m,169.38,177.39,291.s,313.3a,315.3b,316.3,321.3c,365.3d;0.0,1.0,66.1k,68.3e,78.35,87@1080.l,88.l,89.l,90.3f,128.36,147.1n,155@1080.m,156.m,157.m,158@1080.38,159.38,165.37,166.3g,176.39,290.s,292.1e,312.3a,313.3b,315.3,320.3c,364.3d;0.0,1.0,66.1k,67.3e,77@1080.l,78.l,79.l,80@1080.3f,81.3f,128.36,130.3h,145@1080.m,146.m,147.m,165.37,176.39,290.s,291.1e,312.3a,315.3,320.3c,364.3d;0.0,1.0,3.1h,66.1k,67.l,68.l,78.35,128.36,129.3h,134@1080.m,135.m,136.m,137.38,147.1n,165.37,176.39,178.3i,290.s,312.3a,315.3,320.3c,364.3d;0.0,1.0,2.1h,3.1h,55@1080.l,56.l,57.l,58.3f,59.3f,67.1k,79.35,124@1080.m,125.m,126.m,127@1080.38,128.38,129.36,148.1n,149.3j,166.37,177.39,291.s,313.3a,316.3,321.3c,365.3d;0.34,1.0,43@1080.l,44.l,45.l,66.1k,78.35,112@1080.m,113.m,114.m,128.36,147.1n,165.37,176.39,290.s,312.3a,315.3,320.3c,364.3d;0.0,1.0,33@1080.l,34.l,35.l,66.1k,78.35,101@1080.m,102.m,103.m,104.38,105.38,128.36,147.1n,165.37,167.3g,176.39,290.s,312.3a,314.3b,315.3,320.3c,364.3d;0.0,1.0,22@1080.l,23.l,24.l,25@1080.3f,26.3f,66.1k,68.3e,78.35,90@1080.m,91.m,92.m,128.36,147.1n,165.37,166.3g,176.39,290.s,292.1e,312.3a,313.3b,315.3,320.3c,364.3d;0.0,1.0,12@1080.l,13.l,14.l,67.1k,79.35,80@1080.m,81.m,82.m,129.36,130.3h,148.1n,166.37,177.39,179.3i,291.s,313.3a,316.3,321.3c,365.3d
BA 0.0,1.3k,5.1,6.3l,13.3m,90.2j,91.6,99@1080.l,100.l,101.l,102.l,121.7,122.3n,125.15,150.2f,166@1080.m,167.m,168.m,169.m,170.m,187@1080.n,188.n,227.9,240.9,257@1080.o,258.o,305.b,306.1s,359.e,360.f;0.0,1.3k,5.1,6.3l,13.3m,87@1080.l,88.l,89.l,90.l,109.2j,110.6,120.7,121.3n,155@1080.m,156.m,157.m,158.m,159.m,169.2f,175@1080.n,176.n,226.9,239.9,245@1080.o,246.o,304.b,305.1s,358.e,359.f;0.0,1.3k,5.1,6.3l,13.3m,77@1080.l,78.l,79.l,80.l,94.2j,95.6,101.15,120.7,121.3n,145@1080.m,146.m,147.m,148.m,149.m,154.2f,165@1080.n,166.n,226.9,235@1080.o,236.o,239.9,304.b,305.1s,358.e,359.f;0.0,1.3k,5.1,6.3l,13.3m,66@1080.l,67.l,68.l,69.l,86.2j,87.6,120.7,121.15,122.3o,134@1080.m,135.m,136.m,137.m,138.m,146.2f,155@1080.n,156.n,224@1080.o,225.o,226.9,239.9,304.b,305.1s,358.e,359.f;0.0,1.3k,2.3p,5.1,6.3l,13.3m,55@1080.l,56.l,57.l,58.l,106.2j,107.6,121.7,122.3n,124@1080.m,125.m,126.m,127.m,128.m,144@1080.n,145.n,166.2f,214@1080.o,215.o,227.9,240.9,305.b,306.1s,359.e,360.f;0.0,1.3k,5.1,6.3l,13.3m,43@1080.l,44.l,45.l,46.l,90.2j,91.6,97.15,112@1080.m,113.m,114.m,115.m,116.m,120.7,121.3n,132@1080.n,133.n,150.2f,203@1080.o,204.o,226.9,239.9,304.b,305.1s,358.e,359.f;0.0,1.3k,5.1,6.3l,13.3m,33@1080.l,34.l,35.l,36.l,101@1080.m,102.m,103.m,104.m,105.m,110.2j,111.6,117.15,120.7,121.3n,122.n,170.2f,192@1080.o,193.o,226.9,239.9,304.b,305.1s,358.e,359.f;0.0,1.3k,5.1,6.3l,13.3m,22@1080.l,23.l,24.l,25.l,90@1080.m,91.m,92.m,93.m,94.m,102.2j,103.6,111@1080.n,112.n,120.7,121.3n,162.2f,181@1080.o,182.o,226.9,239.9,304.b,305.1s,358.e,359.f;0.0,1.3k,5.1,6.3l,12@1080.l,13.l,14.l,15.l,80@1080.m,81.m,82.m,83.m,84.m,87.2j,88.6,100@1080.n,101.n,121.7,122.15,123.3o,147.2f,170@1080.o,171.o,227.9,240.9,305.b,306.1s,359.e,360.f
BA-BIH 60.s,329.3q;59.s,328.3q;59.s,328.3q;59.s,328.3q;60.s,329.3q;59.s,328.3q;59.s,328.3q;59.s,328.3q;60.s,329.3q
BA-BIH-W !329.3q;!328.3q;!328.3q;!328.3q;!329.3q;!328.3q;!328.3q;!328.3q;!329.3q
BA-BRC 67.3r;66.3r;66.3r;!66@1080.l,66.3r;67.3r;66.3r;66.3r;66.3r;67.3r
BA-SRP 8.1n,129.3s,325.3t;8.1n,128.3s,324.3t;8.1n,128.3s,324.3t;8.1n,128.3s,324.3t;8.1n,129.3s,325.3t;8.1n,128.3s,324.3t;8.1n,128.3s,324.3t;8.1n,128.3s,324.3t;8.1n,129.3s,325.3t
BB 0.0,20.3u,88.5,91.6,118.3v,121.2q,139.3w,140.8,213.3x,217.3y,334.s,359.e,360.f;0.0,20.3u,107.5,110.6,117.3v,120.2q,158.3w,159.8,212.3x,215.3y,333.s,358.e,359.f;0.0,20.3u,92.5,95.6,117.3v,120.2q,143.3w,144.8,212.3x,214.3y,333.s,358.e,359.f;0.0,20.3u,84.5,87.6,117.3v,120.2q,135.3w,136.8,212.3x,213.3y,333.s,358.e,359.f,360.3z;0.0,20.3u,104.5,107.6,118.3v,121.2q,155.3w,156.8,213.3x,219.3y,334.s,359.e,360.f;0.0,20.3u,88.5,91.6,117.3v,120.2q,139.3w,140.8,212.3x,217.3y,333.s,358.e,359.f;0.0,20.3u,108.5,111.6,117.3v,120.2q,159.3w,160.8,212.3x,216.3y,333.s,358.e,359.f;0.0,20.3u,100.5,103.6,117.3v,120.2q,151.3w,152.8,212.3x,215.3y,333.s,358.e,359.f;0.0,20.3u,85.5,88.6,118.3v,121.2q,136.3w,137.8,213.3x,214.3y,334.s,359.e,360.f,361.3z
BD 51.40,76.41,85.s,99@1080.l,100.l,101.l,102.l,104.42,121.2q,139.43,166@1080.m,167.m,168.m,169.m,196@1080.44,197.44,227.45,236.46,257@1080.o,258.o,281.47,350.3s,359.e;51.40,75.41,84.s,87@1080.l,88.l,89.l,90.l,103.42,120.2q,138.43,155@1080.m,156.m,157.m,158.m,184@1080.44,185.44,226.45,235.46,245@1080.o,246.o,280.47,349.3s,358.e;51.40,75.41,77@1080.l,78.l,79.l,80.l,84.s,103.42,120.2q,138.43,145@1080.m,146.m,147.m,148.m,174@1080.44,175.44,226.45,235.46,236.o,280.47,349.3s,358.e;51.40,66@1080.l,67.l,68.l,69.l,75.41,84.s,103.42,120.2q,134@1080.m,135.m,136.m,137.m,138.43,164@1080.44,165.44,224@1080.o,225.o,226.45,235.46,280.47,349.3s,358.e;51.40,55@1080.l,56.l,57.l,58.l,76.41,85.s,104.42,121.2q,124@1080.m,125.m,126.m,127.m,139.43,153@1080.44,154.44,214@1080.o,215.o,227.45,236.46,281.47,350.3s,359.e;43@1080.l,44.l,45.l,46.l,51.40,75.41,84.s,103.42,112@1080.m,113.m,114.m,115.m,120.2q,138.43,141@1080.44,142.44,203@1080.o,204.o,226.45,235.46,280.47,349.3s,358.e;33@1080.l,34.l,35.l,36.l,51.40,75.41,84.s,101@1080.m,102.m,103.m,104.m,120.2q,130@1080.44,131.44,138.43,192@1080.o,193.o,226.45,235.46,280.47,349.3s,358.e;22@1080.l,23.l,24.l,25.l,51.40,75.41,84.s,90@1080.m,91.m,92.m,93.m,103.42,120.2q,121.44,138.43,181@1080.o,182.o,226.45,235.46,280.47,349.3s,358.e;12@1080.l,13.l,14.l,15.l,51.40,76.41,80@1080.m,81.m,82.m,83.m,85.s,104.42,109@1080.44,110.44,121.2q,139.43,170@1080.o,171.o,227.45,236.46,281.47,350.3s,359.e
BE 0.0,91.6,121.7,129.2e,140.8,202.2g,227.9,305.b,315.48,359.e;0.0,110.6,120.7,148.2e,159.8,201.2g,226.9,304.b,314.48,358.e;0.0,95.6,120.7,133.2e,144.8,201.2g,226.9,304.b,314.48,358.e;0.0,87.6,120.7,125.2e,136.8,201.2g,226.9,304.b,314.48,358.e;0.0,107.6,121.7,145.2e,156.8,202.2g,227.9,305.b,315.48,359.e;0.0,91.6,120.7,129.2e,140.8,201.2g,226.9,304.b,314.48,358.e;0.0,111.6,120.7,149.2e,160.8,201.2g,226.9,304.b,314.48,358.e;0.0,103.6,120.7,141.2e,152.8,201.2g,226.9,304.b,314.48,358.e;0.0,88.6,121.7,126.2e,137.8,202.2g,227.9,305.b,315.48,359.e
BE-BRU ;;;;;;;;
BE-DE ;;;;;;;;
BE-VLG ;;;;;;;;
BE-WAL ;;;;;;;;
BF 0.0,2.49,67.1k,90.2j,91.6,99@1080.l,100.l,121.7,129.2e,139.3w,166@1080.m,167.m,217.s,227.9,257@1080.o,258.o,305.b,345.4a,359.e;0.0,2.49,66.1k,87@1080.l,88.l,109.2j,110.6,120.7,148.2e,155@1080.m,156.m,158.3w,216.s,226.9,245@1080.o,246.o,304.b,344.4a,358.e;0.0,2.49,66.1k,77@1080.l,78.l,94.2j,95.6,120.7,133.2e,143.3w,145@1080.m,146.m,216.s,226.9,235@1080.o,236.o,304.b,344.4a,358.e;0.0,2.49,66.1k,67.l,86.2j,87.6,120.7,125.2e,134@1080.m,135.m,216.s,224@1080.o,225.o,226.9,304.b,344.4a,358.e;0.0,2.49,55@1080.l,56.l,67.1k,106.2j,107.6,121.7,124@1080.m,125.m,145.2e,155.3w,214@1080.o,215.o,217.s,227.9,305.b,345.4a,359.e;0.0,2.49,43@1080.l,44.l,66.1k,90.2j,91.6,112@1080.m,113.m,120.7,129.2e,139.3w,203@1080.o,204.o,216.s,226.9,304.b,344.4a,358.e;0.0,2.49,33@1080.l,34.l,66.1k,101@1080.m,102.m,110.2j,111.6,120.7,149.2e,159.3w,192@1080.o,193.o,216.s,226.9,304.b,344.4a,358.e;0.0,2.49,22@1080.l,23.l,66.1k,90@1080.m,91.m,102.2j,103.6,120.7,141.2e,151.3w,181@1080.o,182.o,216.s,226.9,304.b,344.4a,358.e;0.0,2.49,12@1080.l,13.l,67.1k,80@1080.m,81.m,87.2j,88.6,121.7,126.2e,136.3w,170@1080.o,171.o,217.s,227.9,305.b,345.4a,359.e
BG 0.0,62.18,121.7,123.5,125.2j,126.4b,144.4c,249.4d,265.s,358.d,359.e;0.0,61.18,107.5,109.2j,110.6,120.7,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,61.18,99.5,101.2j,102.6,120.7,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,61.18,119.5,120.7,121.2j,122.6,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,62.18,104.5,106.2j,107.6,121.7,126.4b,144.4c,249.4d,265.s,358.d,359.e;0.0,61.18,95.5,97.2j,98.6,120.7,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,61.18,115.5,117.2j,118.6,120.7,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,61.18,100.5,102.2j,103.6,120.7,125.4b,143.4c,248.4d,264.s,357.d,358.e;0.0,62.18,120.5,121.7,122.2j,123.6,126.4b,144.4c,249.4d,265.s,358.d,359.e
BH 0.0,99@1080.l,100.l,121.7,165@1080.4e,166.4e,167.m,168.m,169.m,187@1080.n,188.n,196@1080.44,197.44,257@1080.o,258.o,350.p,351.4f;0.0,87@1080.l,88.l,120.7,154@1080.4e,155.4e,156.m,157.m,158.m,175@1080.n,176.n,184@1080.44,185.44,245@1080.o,246.o,349.p,350.4f;0.0,77@1080.l,78.l,120.7,144@1080.4e,145.4e,146.m,147.m,148.m,165@1080.n,166.n,174@1080.44,175.44,235@1080.o,236.o,349.p,350.4f;0.0,66@1080.l,67.l,120.7,133@1080.4e,134.4e,135.m,136.m,137.m,155@1080.n,156.n,164@1080.44,165.44,224@1080.o,225.o,349.p,350.4f;0.0,55@1080.l,56.l,121.7,123@1080.4e,124.4e,125.m,126.m,127.m,144@1080.n,145.n,153@1080.44,154.44,214@1080.o,215.o,350.p,351.4f;0.0,43@1080.l,44.l,111@1080.4e,112.4e,113.m,114.m,115.m,120.7,132@1080.n,133.n,141@1080.44,142.44,203@1080.o,204.o,349.p,350.4f;0.0,33@1080.l,34.l,100@1080.4e,101.4e,102.m,103.m,104.m,120.7,121@1080.n,122.n,130@1080.44,131.44,192@1080.o,193.o,349.p,350.4f;0.0,22@1080.l,23.l,89@1080.4e,90.4e,91.m,92.m,93.m,111@1080.n,112.n,120.7,121.44,181@1080.o,182.o,349.p,350.4f;0.0,12@1080.l,13.l,79@1080.4e,80.4e,81.m,82.m,83.m,100@1080.n,101.n,109@1080.44,110.44,121.7,170@1080.o,171.o,350.p,351.4f
BI 0.0,35.4g,96.4h,99@1080.l,100.l,121.7,129.2e,166@1080.m,167.m,182.s,227.9,286.4i,294.4j,305.b,359.e;0.0,35.4g,87@1080.l,88.l,95.4h,120.7,148.2e,155@1080.m,156.m,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,35.4g,77@1080.l,78.l,95.4h,120.7,133.2e,145@1080.m,146.m,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,35.4g,66@1080.l,67.l,95.4h,120.7,125.2e,134@1080.m,135.m,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,35.4g,55@1080.l,56.l,96.4h,121.7,124@1080.m,125.m,145.2e,182.s,227.9,286.4i,294.4j,305.b,359.e;0.0,35.4g,43@1080.l,44.l,95.4h,112@1080.m,113.m,120.7,129.2e,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,33@1080.l,34.l,35.4g,95.4h,101@1080.m,102.m,120.7,149.2e,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,22@1080.l,23.l,35.4g,90@1080.m,91.m,95.4h,120.7,141.2e,181.s,226.9,285.4i,293.4j,304.b,358.e;0.0,12@1080.l,13.l,35.4g,80@1080.m,81.m,96.4h,121.7,126.2e,182.s,227.9,286.4i,294.4j,305.b,359.e
BJ 0.0,9.4k,91.6,99@1080.l,100.l,121.7,129.2e,140.8,166@1080.m,167.m,213.s,227.9,257@1080.o,258.o,305.b,359.e;0.0,9.4k,87@1080.l,88.l,110.6,120.7,148.2e,155@1080.m,156.m,159.8,212.s,226.9,245@1080.o,246.o,304.b,358.e;0.0,9.4k,77@1080.l,78.l,95.6,120.7,133.2e,144.8,145@1080.m,146.m,212.s,226.9,235@1080.o,236.o,304.b,358.e;0.0,9.4k,66@1080.l,67.l,87.6,120.7,125.2e,134@1080.m,135.m,136.8,212.s,224@1080.o,225.o,226.9,304.b,358.e;0.0,9.4k,55@1080.l,56.l,107.6,121.7,124@1080.m,125.m,145.2e,156.8,213.s,214@1080.o,215.o,227.9,305.b,359.e;0.0,9.4k,43@1080.l,44.l,91.6,112@1080.m,113.m,120.7,129.2e,140.8,203@1080.o,204.o,212.s,226.9,304.b,358.e;0.0,9.4k,33@1080.l,34.l,101@1080.m,102.m,111.6,120.7,149.2e,160.8,192@1080.o,193.o,212.s,226.9,304.b,358.e;0.0,9.4k,22@1080.l,23.l,90@1080.m,91.m,103.6,120.7,141.2e,152.8,181@1080.o,182.o,212.s,226.9,304.b,358.e;0.0,9.4k,12@1080.l,13.l,80@1080.m,81.m,88.6,121.7,126.2e,137.8,170@1080.o,171.o,213.s,227.9,305.b,359.e
BL 0.0,88.5,91.6,121.7,128.3s,129.2e,140.8,195.4l,227.9,282.4m,305.b,315.48,359.e;0.0,107.5,110.6,120.7,127.3s,148.2e,159.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,92.5,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,84.5,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,104.5,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,282.4m,305.b,315.48,359.e;0.0,88.5,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,108.5,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,100.5,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,281.4m,304.b,314.48,358.e;0.0,85.5,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,282.4m,305.b,315.48,359.e
BM 0.0,88.5,151.4n,168.3v,213.3x,214.4o,245.7,315.4p,359.e,360.f;0.0,107.5,149.4n,166.3v,211.3x,212.4o,243.7,314.4p,358.e,359.f;0.0,92.5,148.4n,165.3v,210.3x,211.4o,249.7,314.4p,358.e,359.f,361.u;0.0,84.5,147.4n,171.3v,209.3x,210.4o,248.7,314.4p,358.e,359.f,360.1g,361.u;0.0,2.1h,104.5,146.4n,170.3v,215.3x,216.4o,247.7,315.4p,317.4q,359.e,360.f;0.0,88.5,144.4n,168.3v,213.3x,214.4o,245.7,314.4p,315.4q,358.e,359.f;0.0,108.5,150.4n,167.3v,212.3x,213.4o,244.7,314.4p,358.e,359.f;0.0,100.5,149.4n,166.3v,211.3x,212.4o,243.7,314.4p,358.e,359.f;0.0,85.5,148.4n,172.3v,210.3x,211.4o,249.7,315.4p,359.e,360.f,361.1g,362.u
BN 0.0,37@1080.j,38.j,40.4r,53.p,69@1080.k,70.k,85@1080.4s,86.4s,90.4t,99@1080.l,100.l,101.l,102.l,166@1080.m,167.m,187@1080.n,188.n,196.4u,257@1080.o,258.o,359.e;0.0,25@1080.j,26.j,28.4r,53.p,58@1080.k,59.k,74@1080.4s,75.4s,87@1080.l,88.l,89.l,90.l,155@1080.m,156.m,175@1080.n,176.n,195.4u,245@1080.o,246.o,358.e;0.0,14@1080.j,15.j,47.4r,48.k,53.p,63@1080.4s,64.4s,77@1080.l,78.l,79.l,80.l,89.4t,145@1080.m,146.m,165@1080.n,166.n,195.4u,235@1080.o,236.o,358.e;0.0,3@1080.j,4.j,36.4r,37@1080.k,38.k,53.p,54.4s,66@1080.l,67.l,68.l,69.l,89.4t,134@1080.m,135.m,155@1080.n,156.n,195.4u,224@1080.o,225.o,357@1080.j,358.j;0.0,25.4r,26@1080.k,27.k,42@1080.4s,43.4s,53.p,55@1080.l,56.l,57.l,58.l,90.4t,124@1080.m,125.m,144@1080.n,145.n,196.4u,214@1080.o,215.o,347@1080.j,348.j,359.e;0.0,14@1080.k,15.k,30@1080.4s,31.4s,43.4r,44.l,45.l,46.l,53.p,89.4t,112@1080.m,113.m,132@1080.n,133.n,195.4u,203@1080.o,204.o,335@1080.j,336.j,358.e;0.0,3@1080.k,4.k,19@1080.4s,20.4s,33.4r,34.l,35.l,36.l,53.p,89.4t,101@1080.m,102.m,121@1080.n,122.n,192@1080.o,193.o,195.4u,325@1080.j,326.j,358.e,359.k;0.0,9@1080.4s,10.4s,22.4r,23.l,24.l,25.l,53.p,89.4t,90@1080.m,91.m,111@1080.n,112.n,181@1080.o,182.o,195.4u,314@1080.j,315.j,347@1080.k,348.k,358.e,363@1080.4s,364.4s;0.0,12@1080.l,13.l,14.l,15.l,41.4r,53.p,80@1080.m,81.m,90.4t,100@1080.n,101.n,170@1080.o,171.o,196.4u,304@1080.j,305.j,337@1080.k,338.k,353@1080.4s,354.4s,359.e
BO 0.0,21.4v,42.g,43.2,88.5,121.7,150.2f,172.4w,218.s,306.1s,359.e;0.0,21.4v,61.g,62.2,107.5,120.7,169.2f,171.4w,217.s,305.1s,358.e;0.0,21.4v,46.g,47.2,92.5,120.7,154.2f,171.4w,172.4x,217.s,305.1s,358.e;0.0,21.4v,38.g,39.2,84.5,120.7,146.2f,171.4w,217.s,305.1s,358.e;0.0,21.4v,58.g,59.2,104.5,121.7,166.2f,172.4w,218.s,219.4y,306.1s,359.e;0.0,21.4v,42.g,43.2,88.5,120.7,150.2f,171.4w,217.s,305.1s,358.e;0.0,21.4v,62.g,63.2,108.5,120.7,170.2f,171.4w,217.s,305.1s,358.e;0.0,21.4v,54.g,55.2,100.5,120.7,162.2f,171.4w,217.s,305.1s,358.e;0.0,21.4v,39.g,40.2,85.5,121.7,147.2f,172.4w,218.s,306.1s,359.e
BO-B 322.4z;321.4z;321.4z;321.4z;322.4z;321.4z,322.50;321.4z;321.4z;322.4z
BO-C 257.51;256.51,257.52;256.51;256.51;257.51;256.51;256.51;256.51,257.52;257.51
BO-H 145.53;144.53,145.54;144.53;144.53;145.53;144.53;144.53;144.53,145.54;145.53
BO-L 197.55;196.55;196.55;196.55;197.55,198.56;196.55;196.55;196.55;197.55
BO-N 267.57;266.57;266.57;266.57;267.57,268.58;266.57;266.57;266.57;267.57
BO-O 40.59;40.59;40.59;40.59;40.59;40.59;40.59,41.5a;40.59;!40.2,40.59
BO-P 314.5b,315.5c;313.5b;313.5b;313.5b;314.5b;313.5b;313.5b,314.5c;313.5b;314.5b
BO-S 267.5d;266.5d;266.5d;266.5d;267.5d,268.5e;266.5d;266.5d;266.5d;267.5d
BO-T 105.5f;104.5f;104.5f;104.5f;105.5f;104.5f,105.5g;104.5f;104.5f;105.5f
BQ 0.0,88.5,91.6,117.30,121.7,129.2e,349.5h,359.e,360.f;0.0,107.5,110.6,116.30,120.7,148.2e,348.5h,358.e,359.f;0.0,92.5,95.6,116.30,120.7,133.2e,348.5h,358.e,359.f;0.0,84.5,87.6,116.30,120.7,125.2e,348.5h,358.e,359.f;0.0,104.5,107.6,117.30,121.7,145.2e,349.5h,359.e,360.f;0.0,88.5,91.6,116.30,120.7,129.2e,348.5h,358.e,359.f;0.0,108.5,111.6,116.30,120.7,149.2e,348.5h,358.e,359.f;0.0,100.5,103.6,116.30,120.7,141.2e,348.5h,358.e,359.f;0.0,85.5,88.6,117.30,121.7,126.2e,349.5h,359.e,360.f
BQ-BO 42.5i,120.5j,249.5k;61.5i,119.5j,248.5k;46.5i,119.5j,248.5k;38.5i,119.5j,248.5k;58.5i,120.5j,249.5k;42.5i,119.5j,248.5k;62.5i,119.5j,248.5k;54.5i,119.5j,248.5k;39.5i,120.5j,249.5k
BQ-SA 217.5i,340.5l;215.5i,338.5l;214.5i,337.5l;213.5i,336.5l;219.5i,335.5l;217.5i,340.5l;216.5i,339.5l;215.5i,338.5l;214.5i,337.5l
BQ-SE 213.3x,320.5m;212.3x,319.5m;212.3x,319.5m;212.3x,319.5m;213.3x,320.5m;212.3x,319.5m;212.3x,319.5m;212.3x,319.5m;213.3x,320.5m
BR 0.0,42.5n,43.5n,88.5,111.5o,121.7,150.2f,250.s,279.5p,285.5q,300.5p,306.1s,319.1n,324.5r,359.e;0.0,61.5n,62.5n,107.5,110.5o,120.7,169.2f,249.s,284.5q,305.1s,318.1n,323.5r,358.e;0.0,46.5n,47.5n,92.5,110.5o,120.7,154.2f,249.s,276.5p,284.5q,297.5p,305.1s,318.1n,323.5r,358.e;0.0,38.5n,39.5n,84.5,110.5o,120.7,146.2f,249.s,284.5q,305.1s,318.1n,323.5r,358.e;0.0,58.5n,59.5n,104.5,111.5o,121.7,166.2f,250.s,274.5p,285.5q,302.5p,306.1s,319.1n,324.5r,359.e;0.0,42.5n,43.5n,88.5,110.5o,120.7,150.2f,249.s,284.5q,305.1s,318.1n,323.5r,358.e;0.0,62.5n,63.5n,108.5,110.5o,120.7,170.2f,249.s,278.5p,284.5q,299.5p,305.1s,318.1n,323.5r,358.e;0.0,54.5n,55.5n,100.5,110.5o,120.7,162.2f,249.s,284.5q,305.1s,318.1n,323.5r,358.e;0.0,39.5n,40.5n,85.5,111.5o,121.7,147.2f,250.s,276.5p,285.5q,304.5p,306.1s,319.1n,324.5r,359.e
BR-AC 11.5s,67.5t,166.5u,248.5v;11.5s,66.5t,165.5u,247.5v;11.5s,66.5t,165.5u,247.5v;11.5s,66.5t,165.5u,247.5v;!166.2f,11.5s,67.5t,166.5u,248.5v;11.5s,66.5t,165.5u,247.5v;11.5s,66.5t,165.5u,247.5v;11.5s,66.5t,165.5u,247.5v;11.5s,67.5t,166.5u,248.5v
BR-AL !324.5r,175.5w,180.5x,259.5y,324.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!324.5r,175.5w,180.5x,259.5y,324.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!323.5r,174.5w,179.5x,258.5y,323.5z;!324.5r,175.5w,180.5x,259.5y,324.5z
BR-AM !324.5r,248.60;!323.5r,247.60;!323.5r,247.60;!323.5r,247.60;!324.5r,248.60;!323.5r,247.60;!323.5r,247.60;!323.5r,247.60;!324.5r,248.60
BR-AP 78.61,256.62;77.61,255.62;77.61,255.62;77.61,255.62;78.61,256.62;77.61,255.62;77.61,255.62;77.61,255.62;78.61,256.62
BR-BA 183.63;182.63;182.63;182.63;183.63;182.63;182.63;182.63;183.63
BR-CE 84.64;83.64;83.64;83.64;84.64;83.64;83.64;83.64;84.64
BR-DF !111.5o,111.65,334.66;!110.5o,110.65,333.66;!110.5o,110.65,333.66;!110.5o,110.65,333.66;!111.5o,111.65,334.66;!110.5o,110.65,333.66;!110.5o,110.65,333.66;!110.5o,110.65,333.66;!111.5o,111.65,334.66
BR-ES 98.67;117.67;102.67;94.67;114.67;98.67;118.67;;95.67
BR-GO 207.68,297.69;206.68,296.69;206.68,296.69;206.68,296.69;207.68,297.69;206.68,296.69;206.68,296.69;206.68,296.69;207.68,297.69
BR-GO-GOIANIA 144.6a;143.6a;143.6a;143.6a;144.6a;143.6a;143.6a;143.6a;144.6a
BR-MA 209.6b;208.6b;208.6b;208.6b;209.6b;208.6b;208.6b;208.6b;209.6b
BR-MG !111.5o,111.64;!110.5o,110.64;!110.5o,110.64;!110.5o,110.64;!111.5o,111.64;!110.5o,110.64;!110.5o,110.64;!110.5o,110.64;!111.5o,111.64
BR-MG-BH 227.9,342.c;226.9,341.c;226.9,341.c;226.9,341.c;227.9,342.c;226.9,341.c;226.9,341.c;226.9,341.c;227.9,342.c
BR-MS 284.6c;283.6c;283.6c;283.6c;284.6c;283.6c;283.6c;283.6c;284.6c
BR-MT !324.5r;!323.5r;!323.5r;!323.5r;!324.5r;!323.5r;!323.5r;!323.5r;!324.5r
BR-PA 227.6d;226.6d;226.6d;226.6d;227.6d;226.6d;226.6d;226.6d;227.6d
BR-PB 207.6e,217.6f;206.6e,216.6f;206.6e,216.6f;206.6e,216.6f;207.6e,217.6f;206.6e,216.6f;206.6e,216.6f;206.6e,216.6f;207.6e,217.6f
BR-PE 62.6g;60.6g;59.6g;65.6g;64.6g;62.6g;61.6g;60.6g;66.6g
BR-PE-RE 175.6h,197.6i,342.c;174.6h,196.6i,341.c;174.6h,196.6i,341.c;174.6h,196.6i,341.c;175.6h,197.6i,342.c;174.6h,196.6i,341.c;174.6h,196.6i,341.c;174.6h,196.6i,341.c;175.6h,197.6i,342.c
BR-PI 292.6j;291.6j;291.6j;291.6j;292.6j;291.6j;291.6j;291.6j;292.6j
BR-PR 353.6k;352.6k;352.6k;352.6k;353.6k;352.6k;352.6k;352.6k;353.6k
BR-PR-CU 251.6l;250.6l;250.6l;250.6l;251.6l;250.6l;250.6l;250.6l;251.6l
BR-RJ !43.5n,!324.5r,43.6m,113.6n;!62.5n,!323.5r,62.6m,112.6n;!47.5n,!323.5r,47.6m,112.6n;!39.5n,!323.5r,39.6m,112.6n;!59.5n,!324.5r,59.6m,113.6n;!43.5n,!323.5r,43.6m,112.6n;!63.5n,!323.5r,63.6m,112.6n;!55.5n,!323.5r,55.6m,112.6n;!40.5n,!324.5r,40.6m,113.6n
BR-RJ-RJ 19.6o;19.6o;19.6o;19.6o;19.6o;19.6o;19.6o;19.6o;19.6o
BR-RN 276.6p;275.6p;275.6p;275.6p;276.6p;275.6p;275.6p;275.6p;!276.5p,276.6p
BR-RO 3.6c,169.5s;3.6c,168.5s;3.6c,168.5s;3.6c,168.5s;3.6c,169.5s;3.6c,168.5s;3.6c,168.5s;3.6c,168.5s;3.6c,169.5s
BR-RR 278.6c;277.6c;277.6c;277.6c;278.6c;277.6c;277.6c;277.6c;278.6c
BR-RS 263.6q;262.6q;262.6q;262.6q;263.6q;262.6q;262.6q;262.6q;263.6q
BR-SC 223.6r,335.6s;228.6r,333.6s;227.6r,332.6s;226.6r,331.6s;225.6r,330.6s;223.6r,328.6s;222.6r,334.6s;228.6r,333.6s;227.6r,332.6s
BR-SE 189.6t;188.6t;188.6t;188.6t;189.6t;188.6t;188.6t;188.6t;189.6t
BR-SP !324.5r,190.6u;!323.5r,189.6u;!323.5r,189.6u;!323.5r,189.6u;!324.5r,190.6u;!323.5r,189.6u;!323.5r,189.6u;!323.5r,189.6u;!324.5r,190.6u
BR-SP-SP 24.6v,324.6w;24.6v,323.6w;24.6v,323.6w;24.6v,323.6w;24.6v,324.6w;24.6v,323.6w;24.6v,323.6w;24.6v,323.6w;24.6v,324.6w
BR-TO 77.6x,251.6y,278.6c;76.6x,250.6y,277.6c;76.6x,250.6y,277.6c;76.6x,250.6y,277.6c;77.6x,251.6y,278.6c;76.6x,250.6y,277.6c;76.6x,250.6y,277.6c;76.6x,250.6y,277.6c;77.6x,251.6y,278.6c
BS 0.0,9.6z,88.5,91.6,140.8,158.70,191.s,217.3x,285.71,287.72,359.e,360.f;0.0,9.6z,107.5,110.6,156.70,159.8,190.s,215.3x,284.71,285.72,358.e,359.f;0.0,9.6z,11.73,92.5,95.6,144.8,155.70,190.s,214.3x,284.71,358.e,359.f;0.0,9.6z,10.73,84.5,87.6,136.8,154.70,190.s,192.1e,213.3x,284.71,358.e,359.f;0.0,9.6z,104.5,107.6,153.70,156.8,191.s,219.3x,285.71,359.e,360.f;0.0,9.6z,88.5,91.6,140.8,151.70,190.s,217.3x,284.71,358.e,359.f;0.0,9.6z,108.5,111.6,157.70,160.8,190.s,216.3x,284.71,286.72,358.e,359.f;0.0,9.6z,100.5,103.6,152.8,156.70,190.s,215.3x,284.71,285.72,358.e,359.f;0.0,9.6z,11.73,85.5,88.6,137.8,155.70,191.s,193.1e,214.3x,285.71,359.e,360.f
BW 0.0,1.74,88.5,89.2i,91.6,121.7,129.2e,182.75,196.76,197.77,273.78,359.e,360.79;0.0,1.74,107.5,108.2i,110.6,120.7,148.2e,181.75,201.76,202.77,272.78,358.e,359.79;0.0,1.74,92.5,93.2i,95.6,120.7,133.2e,181.75,200.76,201.77,272.78,358.e,359.79;0.0,1.74,84.5,85.2i,87.6,120.7,125.2e,181.75,199.76,200.77,272.78,358.e,359.79;0.0,1.74,104.5,105.2i,107.6,121.7,145.2e,182.75,198.76,199.77,273.78,275.3z,359.e,360.79;0.0,1.74,88.5,89.2i,91.6,120.7,129.2e,181.75,182.3z,196.76,197.77,272.78,273.3z,358.e,359.79;0.0,1.74,108.5,109.2i,111.6,120.7,149.2e,181.75,195.76,196.77,272.78,358.e,359.79;0.0,1.74,100.5,101.2i,103.6,120.7,141.2e,181.75,201.76,202.77,272.78,358.e,359.79;0.0,1.74,85.5,86.2i,88.6,121.7,126.2e,182.75,200.76,201.77,273.78,359.e,360.79
BY 0.0,6.e,67.1k,121.7,129.3s,134.7a,184.s,311.7b,359.e;0.0,6.e,66.1k,118.7a,120.7,128.3s,183.s,310.7b,358.e;0.0,6.e,66.1k,110.7a,120.7,128.3s,183.s,310.7b,358.e;0.0,6.e,66.1k,120.7,128.3s,130.7a,183.s,310.7b,358.e;0.0,6.e,67.1k,115.7a,121.7,129.3s,184.s,311.7b,359.e;0.0,6.e,66.1k,106.7a,120.7,128.3s,183.s,310.7b,358.e;0.0,6.e,66.1k,120.7,126.7a,128.3s,183.s,310.7b,358.e;0.0,6.e,66.1k,111.7a,120.7,128.3s,183.s,310.7b,358.e;0.0,6.e,67.1k,121.7,129.3s,131.7a,184.s,311.7b,359.e
BZ 0.0,14.7c,70.7d,88.5,89.2i,91.6,121.7,213.3x,253.7e,264.s,287.7f,323.7g,359.e,360.f;0.0,14.7c,68.7d,107.5,108.2i,110.6,120.7,212.3x,252.7e,264.s,285.7f,322.7g,358.e,359.f;0.0,14.7c,67.7d,92.5,93.2i,95.6,120.7,212.3x,252.7e,263.s,284.7f,322.7g,358.e,359.f;0.0,14.7c,66.7d,84.5,85.2i,87.6,120.7,213.3x,252.7e,263.s,283.7f,322.7g,358.e,359.f,360.u;0.0,14.7c,65.7d,104.5,105.2i,107.6,121.7,213.3x,254.7e,264.s,282.7f,324.7g,359.e,360.f;0.0,14.7c,70.7d,88.5,89.2i,91.6,120.7,212.3x,252.7e,263.s,287.7f,322.7g,358.e,359.f;0.0,14.7c,69.7d,108.5,109.2i,111.6,120.7,212.3x,252.7e,263.s,286.7f,322.7g,358.e,359.f;0.0,14.7c,68.7d,100.5,101.2i,103.6,120.7,212.3x,252.7e,264.s,285.7f,322.7g,358.e,359.f;0.0,14.7c,67.7d,85.5,86.2i,88.6,121.7,214.3x,253.7e,264.s,284.7f,323.7g,359.e,360.f,361.u
CA 0.0,88.5,182.7h,245.7,359.e;0.0,107.5,181.7h,243.7,358.e;0.0,92.5,181.7h,249.7,358.e;0.0,84.5,181.7h,248.7,358.e;0.0,104.5,182.7h,247.7,359.e;0.0,88.5,181.7h,245.7,358.e;0.0,108.5,181.7h,244.7,358.e;0.0,100.5,181.7h,243.7,358.e;0.0,85.5,182.7h,249.7,359.e
CA-AB 49.79,140.7i,287.7j,315.4p;47.79,138.7i,285.7j,314.4p;46.79,137.7i,284.7j,314.4p;45.79,143.7i,283.7j,314.4p;51.79,142.7i,282.7j,315.4p;49.79,140.7i,280.7j,314.4p;48.79,139.7i,286.7j,314.4p;47.79,138.7i,285.7j,314.4p;46.79,144.7i,284.7j,315.4p
CA-BC 49.79,140.7i,217.7k,287.7j,315.4p;47.79,138.7i,215.7k,285.7j,314.4p;46.79,137.7i,214.7k,284.7j,314.4p;45.79,143.7i,213.7k,283.7j,314.4p;51.79,142.7i,219.7k,282.7j,315.4p;49.79,140.7i,217.7k,280.7j,314.4p;48.79,139.7i,216.7k,286.7j,314.4p;47.79,138.7i,215.7k,285.7j,314.4p;46.79,144.7i,214.7k,284.7j,315.4p
CA-MB 49.7l,140.7i,287.7j;47.7l,138.7i,285.7j;46.7l,137.7i,284.7j;45.7l,143.7i,283.7j;51.7l,142.7i,282.7j;49.7l,140.7i,280.7j;48.7l,139.7i,286.7j;47.7l,138.7i,285.7j;46.7l,144.7i,284.7j
CA-NB 49.79,217.7m,315.4p;47.79,215.7m,314.4p;46.79,214.7m,314.4p;45.79,213.7m,314.4p;51.79,219.7m,315.4p;49.79,217.7m,314.4p;48.79,216.7m,314.4p;47.79,215.7m,314.4p;46.79,214.7m,315.4p
CA-NL !182.7h,182.26,315.48;!181.7h,181.26,314.48;!181.7h,181.26,314.48;!181.7h,181.26,314.48;!182.7h,182.26,315.48;!181.7h,181.26,314.48;!181.7h,181.26,314.48;!181.7h,181.26,314.48;!182.7h,182.26,315.48
CA-NS 49.7n,315.4p;47.7n,314.4p;46.7n,314.4p;45.7n,314.4p;51.7n,315.4p;49.7n,314.4p;48.7n,314.4p;47.7n,314.4p;46.7n,315.4p
CA-NT 91.6,140.7i,172.7o,217.7p,287.7j,315.4p,360.f;110.6,138.7i,171.7o,215.7p,285.7j,314.4p,359.f;95.6,137.7i,171.7o,214.7p,284.7j,314.4p,359.f;87.6,143.7i,171.7o,213.7p,283.7j,314.4p,359.f;107.6,142.7i,172.7o,219.7p,282.7j,315.4p,360.f;91.6,140.7i,171.7o,217.7p,280.7j,314.4p,359.f;111.6,139.7i,171.7o,216.7p,286.7j,314.4p,359.f;103.6,138.7i,171.7o,215.7p,285.7j,314.4p,359.f;88.6,144.7i,172.7o,214.7p,284.7j,315.4p,360.f
CA-NU 140.7i,190.7q,217.7p,287.7j,315.4p;138.7i,189.7q,215.7p,285.7j,314.4p;137.7i,189.7q,214.7p,284.7j,314.4p;143.7i,189.7q,213.7p,283.7j,314.4p;142.7i,190.7q,219.7p,282.7j,315.4p;140.7i,189.7q,217.7p,280.7j,314.4p;139.7i,189.7q,216.7p,286.7j,314.4p;138.7i,189.7q,215.7p,285.7j,314.4p;144.7i,190.7q,214.7p,284.7j,315.4p
CA-ON 49.79,91.6,140.7i,287.7j,360.f;47.79,110.6,138.7i,285.7j,359.f;46.79,95.6,137.7i,284.7j,359.f;45.79,87.6,143.7i,283.7j,359.f;51.79,107.6,142.7i,282.7j,360.f;49.79,91.6,140.7i,280.7j,359.f;48.79,111.6,139.7i,286.7j,359.f;47.79,103.6,138.7i,285.7j,359.f;46.79,88.6,144.7i,284.7j,360.f
CA-PE 49.7r,228.7s,315.4p;47.7r,226.7s,314.4p;46.7r,232.7s,314.4p;45.7r,231.7s,314.4p;51.7r,230.7s,315.4p;49.7r,228.7s,314.4p;48.7r,227.7s,314.4p;47.7r,226.7s,314.4p;46.7r,232.7s,315.4p
CA-QC 140.7t,175.2g,287.7j;138.7t,174.2g,285.7j;137.7t,174.2g,284.7j;143.7t,174.2g,283.7j;142.7t,175.2g,282.7j;140.7t,174.2g,280.7j;139.7t,174.2g,286.7j;138.7t,174.2g,285.7j;144.7t,175.2g,284.7j
CA-SK 49.79,140.7i,217.7u,287.7j,315.4p;47.79,138.7i,215.7u,285.7j,314.4p;46.79,137.7i,214.7u,284.7j,314.4p;45.79,143.7i,213.7u,283.7j,314.4p;51.79,142.7i,219.7u,282.7j,315.4p;49.79,140.7i,217.7u,280.7j,314.4p;48.79,139.7i,216.7u,286.7j,314.4p;47.79,138.7i,215.7u,285.7j,314.4p;46.79,144.7i,214.7u,284.7j,315.4p
CA-YT 91.6,140.7i,172.7o,231.7v,287.7j,315.4p;110.6,138.7i,171.7o,229.7v,285.7j,314.4p;95.6,137.7i,171.7o,228.7v,284.7j,314.4p;87.6,143.7i,171.7o,227.7v,283.7j,314.4p;107.6,142.7i,172.7o,233.7v,282.7j,315.4p;91.6,140.7i,171.7o,231.7v,280.7j,314.4p;111.6,139.7i,171.7o,230.7v,286.7j,314.4p;103.6,138.7i,171.7o,229.7v,285.7j,314.4p;88.6,144.7i,172.7o,228.7v,284.7j,315.4p
CC 0.0,25.2h,40.4r,41.7w,42.7x,43.7y,79.7,91.6,96.7z,99@1080.80,100.80,115.2k,166@1080.81,167.81,168.82,187@1080.n,188.n,189.83,257@1080.84,258.84,259.85,359.e,360.f;0.0,25.2h,28.4r,29.7w,78.7,87@1080.80,88.80,89.86,95.7z,110.6,114.2k,155@1080.81,156.81,175@1080.n,176.n,245@1080.84,246.84,358.e,359.f;0.0,25.2h,47.4r,48.7w,77@1080.80,78.80,95.7z,114.2k,145@1080.81,146.81,165@1080.n,166.n,235@1080.84,236.84,358.e,359.f;0.0,25.2h,36.4r,37.7w,38.7x,39.7y,66@1080.80,67.80,78.7,87.6,95.7z,114.2k,134@1080.81,135.81,136.82,155@1080.n,156.n,157.83,224@1080.84,225.84,358.e,359.f,360.u;0.0,25.2h,26.7w,55@1080.80,56.80,79.7,96.7z,107.6,115.2k,124@1080.81,125.81,144@1080.n,145.n,214@1080.84,215.84,359.e,360.f;0.0,25.2h,43.4r,44.80,78.7,91.6,95.7z,112@1080.81,113.81,114.2k,132@1080.n,133.n,203@1080.84,204.84,358.e,359.f;0.0,25.2h,33.4r,34.80,35.7x,78.7,95.7z,101@1080.81,102.81,111.6,114.2k,121@1080.n,122.n,192@1080.84,193.84,358.e,359.f;0.0,22.4r,23.80,25.2h,78.7,90@1080.81,91.81,95.7z,103.6,111@1080.n,112.n,114.2k,181@1080.84,182.84,358.e,359.f;0.0,12@1080.80,13.80,25.2h,41.4r,42.7w,79.7,80@1080.81,81.81,88.6,96.7z,100@1080.n,101.n,102.83,115.2k,170@1080.84,171.84,172.85,359.e,360.f,361.u
CD 0.0,3.87,15.88,16.89,121.7,137.18,181.s,182.1e,213.8a,359.e;0.0,3.87,15.88,16.89,120.7,136.18,180.s,212.8a,358.e;0.0,3.87,4.8b,15.88,16.89,120.7,136.18,137.1c,180.s,212.8a,358.e;0.0,3.87,15.88,16.89,17.8c,120.7,136.18,180.s,212.8a,213.8d,358.e;0.0,3.87,15.88,16.89,17.8e,121.7,137.18,181.s,213.8a,359.e;0.0,3.87,15.88,16.89,120.7,136.18,180.s,212.8a,358.e;0.0,3.87,15.88,16.89,120.7,136.18,180.s,181.1e,212.8a,358.e;0.0,3.87,15.88,16.89,120.7,136.18,180.s,212.8a,358.e;0.0,3.87,4.8b,15.88,16.89,121.7,137.18,181.s,213.8a,214.8d,359.e
CF 0.0,88.8f,91.6,99@1080.l,100.l,121.7,129.2e,140.8,166@1080.m,167.m,181.8g,225.s,227.9,305.b,335.1n,359.e;0.0,87.8f,88.l,110.6,120.7,148.2e,155@1080.m,156.m,159.8,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,77@1080.l,78.l,87.8f,95.6,120.7,133.2e,144.8,145@1080.m,146.m,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,66@1080.l,67.l,87.8f,120.7,125.2e,134@1080.m,135.m,136.8,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,55@1080.l,56.l,88.8f,107.6,121.7,124@1080.m,125.m,145.2e,156.8,181.8g,225.s,227.9,305.b,335.1n,359.e;0.0,43@1080.l,44.l,87.8f,91.6,112@1080.m,113.m,120.7,129.2e,140.8,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,33@1080.l,34.l,87.8f,101@1080.m,102.m,111.6,120.7,149.2e,160.8,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,22@1080.l,23.l,87.8f,90@1080.m,91.m,103.6,120.7,141.2e,152.8,180.8g,224.s,226.9,304.b,334.1n,358.e;0.0,12@1080.l,13.l,80@1080.m,81.m,88.8f,121.7,126.2e,137.8,181.8g,225.s,227.9,305.b,335.1n,359.e
CG 0.0,91.6,121.7,129.2e,139.3w,140.8,161.8h,227.9,305.b,332.8i,359.e;0.0,110.6,120.7,148.2e,158.3w,159.8,160.8h,226.9,304.b,331.8i,358.e;0.0,95.6,120.7,133.2e,143.3w,144.8,160.8h,226.9,304.b,331.8i,358.e;0.0,87.6,120.7,125.2e,135.3w,136.8,160.8h,226.9,304.b,331.8i,358.e;0.0,107.6,121.7,145.2e,155.3w,156.8,161.8h,227.9,305.b,332.8i,359.e;0.0,91.6,120.7,129.2e,139.3w,140.8,160.8h,226.9,304.b,331.8i,358.e;0.0,111.6,120.7,149.2e,159.3w,160.8h,226.9,304.b,331.8i,358.e;0.0,103.6,120.7,141.2e,151.3w,152.8,160.8h,226.9,304.b,331.8i,358.e;0.0,88.6,121.7,126.2e,136.3w,137.8,161.8h,227.9,305.b,332.8i,359.e
CH 0.0,88.5,90.2j,91.6,129.2e,139.3w,140.8,213.8j,258.8k,359.e,360.f;0.0,107.5,109.2j,110.6,148.2e,158.3w,159.8,212.8j,263.8k,358.e,359.f;0.0,92.5,94.2j,95.6,133.2e,143.3w,144.8,212.8j,262.8k,358.e,359.f;0.0,84.5,86.2j,87.6,125.2e,135.3w,136.8,212.8j,261.8k,358.e,359.f;0.0,104.5,106.2j,107.6,145.2e,155.3w,156.8,213.8j,260.8k,359.e,360.f;0.0,88.5,90.2j,91.6,129.2e,139.3w,140.8,212.8j,258.8k,358.e,359.f;0.0,108.5,110.2j,111.6,149.2e,159.3w,160.8,212.8j,257.8k,358.e,359.f;0.0,100.5,102.2j,103.6,141.2e,151.3w,152.8,212.8j,263.8k,358.e,359.f;0.0,85.5,87.2j,88.6,126.2e,136.3w,137.8,213.8j,262.8k,359.e,360.f
CH-ZH 121.7;120.7;120.7;120.7;121.7;120.7;120.7;120.7;121.7
CH-BE 1.8l;1.8l;1.8l;1.8l;1.8l;1.8l;1.8l;1.8l;1.8l
CH-LU !91.6,!140.8,150.2f,227.9,305.b,342.c;!110.6,!159.8,169.2f,226.9,304.b,341.c;!95.6,!144.8,154.2f,226.9,304.b,341.c;!87.6,!136.8,146.2f,226.9,304.b,341.c;!107.6,!156.8,166.2f,227.9,305.b,342.c;!91.6,!140.8,150.2f,226.9,304.b,341.c;!111.6,!160.8,170.2f,226.9,304.b,341.c;!103.6,!152.8,162.2f,226.9,304.b,341.c;!88.6,!137.8,147.2f,227.9,305.b,342.c
CH-UR 5.1,78.8m,150.2f,227.9,305.b,342.c;!359.f,5.1,77.8m,169.2f,226.9,304.b,341.c;5.1,77.8m,154.2f,226.9,304.b,341.c;5.1,77.8m,146.2f,226.9,304.b,341.c;5.1,78.8m,166.2f,227.9,305.b,342.c;5.1,77.8m,150.2f,226.9,304.b,341.c;5.1,77.8m,170.2f,226.9,304.b,341.c;!359.f,5.1,77.8m,162.2f,226.9,304.b,341.c;5.1,78.8m,147.2f,227.9,305.b,342.c
CH-SZ 5.1,78.8m,150.2f,227.9,305.b,342.c;5.1,77.8m,169.2f,226.9,304.b,341.c;5.1,77.8m,154.2f,226.9,304.b,341.c;5.1,77.8m,146.2f,226.9,304.b,341.c;5.1,78.8m,166.2f,227.9,305.b,342.c;5.1,77.8m,150.2f,226.9,304.b,341.c;5.1,77.8m,170.2f,226.9,304.b,341.c;5.1,77.8m,162.2f,226.9,304.b,341.c;5.1,78.8m,147.2f,227.9,305.b,342.c
CH-OW !91.6,!140.8,!360.f,150.2f,227.9,268.8n,305.b,342.c;!110.6,!159.8,!359.f,169.2f,226.9,267.8n,304.b,341.c;!95.6,!144.8,!359.f,154.2f,226.9,267.8n,304.b,341.c;!87.6,!136.8,!359.f,146.2f,226.9,267.8n,304.b,341.c;!107.6,!156.8,!360.f,166.2f,227.9,268.8n,305.b,342.c;!91.6,!140.8,!359.f,150.2f,226.9,267.8n,304.b,341.c;!111.6,!160.8,!359.f,170.2f,226.9,267.8n,304.b,341.c;!103.6,!152.8,!359.f,162.2f,226.9,267.8n,304.b,341.c;!88.6,!137.8,!360.f,147.2f,227.9,268.8n,305.b,342.c
CH-NW !91.6,!140.8,!360.f,1.8l,78.8m,150.2f,227.9,305.b,342.c;!110.6,!159.8,!359.f,1.8l,77.8m,169.2f,226.9,304.b,341.c;!95.6,!144.8,!359.f,1.8l,77.8m,154.2f,226.9,304.b,341.c;!87.6,!136.8,!359.f,1.8l,77.8m,146.2f,226.9,304.b,341.c;!107.6,!156.8,!360.f,1.8l,78.8m,166.2f,227.9,305.b,342.c;!91.6,!140.8,!359.f,1.8l,77.8m,150.2f,226.9,304.b,341.c;!111.6,!160.8,!359.f,1.8l,77.8m,170.2f,226.9,304.b,341.c;!103.6,!152.8,!359.f,1.8l,77.8m,162.2f,226.9,304.b,341.c;!88.6,!137.8,!360.f,1.8l,78.8m,147.2f,227.9,305.b,342.c
CH-GL !258.8k,94.8o,305.b,358.d,365.1o;!263.8k,92.8o,304.b,357.d,364.1o;!262.8k,98.8o,304.b,357.d,364.1o;!261.8k,97.8o,304.b,357.d,364.1o;!260.8k,96.8o,305.b,358.d,365.1o;!258.8k,94.8o,304.b,357.d,364.1o;!257.8k,93.8o,304.b,357.d,364.1o;!263.8k,92.8o,304.b,357.d,364.1o;!262.8k,98.8o,305.b,358.d,365.1o
CH-ZG !91.6,!140.8,!360.f,150.2f,227.9,305.b,342.c;!110.6,!159.8,!359.f,169.2f,226.9,304.b,341.c;!95.6,!144.8,!359.f,154.2f,226.9,304.b,341.c;!87.6,!136.8,!359.f,146.2f,226.9,304.b,341.c;!107.6,!156.8,!360.f,166.2f,227.9,305.b,342.c;!91.6,!140.8,!359.f,150.2f,226.9,304.b,341.c;!111.6,!160.8,!359.f,170.2f,226.9,304.b,341.c;!103.6,!152.8,!359.f,162.2f,226.9,304.b,341.c;!88.6,!137.8,!360.f,147.2f,227.9,305.b,342.c
CH-FR !91.6,!140.8,!213.8j,!360.f,150.2f,213.8p,227.9,305.b,342.c;!110.6,!159.8,!212.8j,!359.f,169.2f,212.8p,226.9,304.b,341.c;!95.6,!144.8,!212.8j,!359.f,154.2f,212.8p,226.9,304.b,341.c;!87.6,!136.8,!212.8j,!359.f,146.2f,212.8p,226.9,304.b,341.c;!107.6,!156.8,!213.8j,!360.f,166.2f,213.8p,227.9,305.b,342.c;!91.6,!140.8,!212.8j,!359.f,150.2f,212.8p,226.9,304.b,341.c;!111.6,!160.8,!212.8j,!359.f,170.2f,212.8p,226.9,304.b,341.c;!103.6,!152.8,!212.8j,!359.f,162.2f,212.8p,226.9,304.b,341.c;!88.6,!137.8,!213.8j,!360.f,147.2f,213.8p,227.9,305.b,342.c
CH-SO !91.6,!140.8,!360.f,78.8m,121@720.7,150.2f,227.9,305.b;!110.6,!159.8,!359.f,77.8m,120@720.7,169.2f,226.9,304.b;!95.6,!144.8,!359.f,77.8m,120@720.7,154.2f,226.9,304.b;!87.6,!136.8,!359.f,77.8m,120@720.7,146.2f,226.9,304.b;!107.6,!156.8,!360.f,78.8m,121@720.7,166.2f,227.9,305.b;!91.6,!140.8,!359.f,77.8m,120@720.7,150.2f,226.9,304.b;!111.6,!160.8,!359.f,77.8m,120@720.7,170.2f,226.9,304.b;!103.6,!152.8,!359.f,77.8m,120@720.7,162.2f,226.9,304.b;!88.6,!137.8,!360.f,78.8m,121@720.7,147.2f,227.9,305.b
CH-BS 121.7;120.7;120.7;120.7;121.7;120.7;120.7;120.7;121.7
CH-BL 121.7;120.7;120.7;120.7;121.7;120.7;120.7;120.7;121.7
CH-SH 121.7;120.7;120.7;120.7;121.7;120.7;120.7;120.7;121.7
CH-AR ;;;;;;;;
CH-AI 150.2f,227.9,265.8q,305.b;169.2f,226.9,264.8q,304.b;!359.f,154.2f,226.9,264.8q,304.b;146.2f,226.9,264.8q,304.b;!360.f,166.2f,227.9,265.8q,305.b;150.2f,226.9,264.8q,304.b;170.2f,226.9,264.8q,304.b;162.2f,226.9,264.8q,304.b;147.2f,227.9,265.8q,305.b
CH-SG 305.b;304.b;304.b;304.b;305.b;304.b;304.b;304.b;305.b
CH-GR !88.5;!107.5;!92.5;!84.5;!104.5;!88.5;!108.5;!100.5;!85.5
CH-AG 1.8l,121.7,150.2f,227.9,305.b,342.c;1.8l,120.7,169.2f,226.9,304.b,341.c;1.8l,120.7,154.2f,226.9,304.b,341.c;1.8l,120.7,146.2f,226.9,304.b,341.c;1.8l,121.7,166.2f,227.9,305.b,342.c;1.8l,120.7,150.2f,226.9,304.b,341.c;1.8l,120.7,170.2f,226.9,304.b,341.c;1.8l,120.7,162.2f,226.9,304.b,341.c;1.8l,121.7,147.2f,227.9,305.b,342.c
CH-TG 1.8l,121.7;1.8l,120.7;1.8l,120.7;1.8l,120.7;1.8l,121.7;1.8l,120.7;1.8l,120.7;1.8l,120.7;1.8l,121.7
CH-TI !88.5,!213.8j,1.8l,5.1,78.8m,121.7,150.2f,180.8r,213.8s,227.9,305.b,342.c;!107.5,!212.8j,1.8l,5.1,77.8m,120.7,169.2f,179.8r,212.8s,226.9,304.b,341.c;!92.5,!212.8j,1.8l,5.1,77.8m,120.7,154.2f,179.8r,212.8s,226.9,304.b,341.c;!84.5,!212.8j,1.8l,5.1,77.8m,120.7,146.2f,179.8r,212.8s,226.9,304.b,341.c;!104.5,!213.8j,1.8l,5.1,78.8m,121.7,166.2f,180.8r,213.8s,227.9,305.b,342.c;!88.5,!212.8j,1.8l,5.1,77.8m,120.7,150.2f,179.8r,212.8s,226.9,304.b,341.c;!108.5,!212.8j,1.8l,5.1,77.8m,120.7,170.2f,179.8r,212.8s,226.9,304.b,341.c;!100.5,!212.8j,1.8l,5.1,77.8m,120.7,162.2f,179.8r,212.8s,226.9,304.b,341.c;!85.5,!213.8j,1.8l,5.1,78.8m,121.7,147.2f,180.8r,213.8s,227.9,305.b,342.c
CH-VD !213.8j,!360.f,1.8t,213.8p,259.8u;!212.8j,!359.f,1.8t,212.8p,264.8u;!212.8j,!359.f,1.8t,212.8p,263.8u;!212.8j,!359.f,1.8t,212.8p,262.8u;!213.8j,!360.f,1.8t,213.8p,261.8u;!212.8j,!359.f,1.8t,212.8p,259.8u;!212.8j,!359.f,1.8t,212.8p,258.8u;!212.8j,!359.f,1.8t,212.8p,264.8u;!213.8j,!360.f,1.8t,213.8p,263.8u
CH-VS !88.5,!91.6,!213.8j,!360.f,1.8v,78.8m,121@720.7,150.2f,213.8p,227.9,259.8u,305.b,342.c,358@720.d;!107.5,!110.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,169.2f,212.8p,226.9,264.8u,304.b,341.c,357@720.d;!92.5,!95.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,154.2f,212.8p,226.9,263.8u,304.b,341.c,357@720.d;!84.5,!87.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,146.2f,212.8p,226.9,262.8u,304.b,341.c,357@720.d;!104.5,!107.6,!213.8j,!360.f,1.8v,78.8m,121@720.7,166.2f,213.8p,227.9,261.8u,305.b,342.c,358@720.d;!88.5,!91.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,150.2f,212.8p,226.9,259.8u,304.b,341.c,357@720.d;!108.5,!111.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,170.2f,212.8p,226.9,258.8u,304.b,341.c,357@720.d;!100.5,!103.6,!212.8j,!359.f,1.8v,77.8m,120@720.7,162.2f,212.8p,226.9,264.8u,304.b,341.c,357@720.d;!85.5,!88.6,!213.8j,!360.f,1.8v,78.8m,121@720.7,147.2f,213.8p,227.9,263.8u,305.b,342.c,358@720.d
CH-NE !140.8,!213.8j,!360.f,60.8w,121.7,150.2f,213.8p;!159.8,!212.8j,!359.f,59.8w,120.7,169.2f,212.8p;!144.8,!212.8j,!359.f,59.8w,120.7,154.2f,212.8p;!136.8,!212.8j,!359.f,59.8w,120.7,146.2f,212.8p;!156.8,!213.8j,!360.f,60.8w,121.7,166.2f,213.8p;!140.8,!212.8j,!359.f,59.8w,120.7,150.2f,212.8p;!160.8,!212.8j,!359.f,59.8w,120.7,170.2f,212.8p;!152.8,!212.8j,!359.f,59.8w,120.7,162.2f,212.8p;!137.8,!213.8j,!360.f,60.8w,121.7,147.2f,213.8p
CH-GE !213.8j,!258.8k,1.8t,213.8p,248.8x,365.8y;!212.8j,!263.8k,1.8t,212.8p,253.8x,364.8y;!212.8j,!262.8k,1.8t,212.8p,252.8x,364.8y;!212.8j,!261.8k,1.8t,212.8p,251.8x,364.8y;!213.8j,!260.8k,1.8t,213.8p,250.8x,365.8y;!212.8j,!258.8k,1.8t,212.8p,248.8x,364.8y;!212.8j,!257.8k,1.8t,212.8p,247.8x,364.8y;!212.8j,!263.8k,1.8t,212.8p,253.8x,364.8y;!213.8j,!262.8k,1.8t,213.8p,252.8x,365.8y
CH-JU !213.8j,!360.f,1.8t,121.7,150.2f,174.8z,213.8p,227.9,305.b;!212.8j,!359.f,1.8t,120.7,169.2f,173.8z,212.8p,226.9,304.b;!212.8j,!359.f,1.8t,120.7,154.2f,173.8z,212.8p,226.9,304.b;!212.8j,!359.f,1.8t,120.7,146.2f,173.8z,212.8p,226.9,304.b;!213.8j,!360.f,1.8t,121.7,166.2f,174.8z,213.8p,227.9,305.b;!212.8j,!359.f,1.8t,120.7,150.2f,173.8z,212.8p,226.9,304.b;!212.8j,!359.f,1.8t,120.7,170.2f,173.8z,212.8p,226.9,304.b;!212.8j,!359.f,1.8t,120.7,162.2f,173.8z,212.8p,226.9,304.b;!213.8j,!360.f,1.8t,121.7,147.2f,174.8z,213.8p,227.9,305.b
CI 0.0,91.6,95@1080.90,96.90,99@1080.l,100.l,121.7,129.2e,140.8,166@1080.m,167.m,219.s,227.9,257@1080.o,258.o,305.b,319.91,359.e;0.0,84@1080.90,85.90,87@1080.l,88.l,110.6,120.7,148.2e,155@1080.m,156.m,159.8,218.s,226.9,245@1080.o,246.o,304.b,318.91,358.e;0.0,73@1080.90,74.90,77@1080.l,78.l,95.6,120.7,133.2e,144.8,145@1080.m,146.m,218.s,226.9,235@1080.o,236.o,304.b,318.91,358.e;0.0,63@1080.90,64.90,66@1080.l,67.l,87.6,120.7,125.2e,134@1080.m,135.m,136.8,218.s,224@1080.o,225.o,226.9,304.b,318.91,358.e;0.0,52@1080.90,53.90,55@1080.l,56.l,107.6,121.7,124@1080.m,125.m,145.2e,156.8,214@1080.o,215.o,219.s,227.9,305.b,319.91,359.e;0.0,40@1080.90,41.90,43@1080.l,44.l,91.6,112@1080.m,113.m,120.7,129.2e,140.8,203@1080.o,204.o,218.s,226.9,304.b,318.91,358.e;0.0,29@1080.90,30.90,33@1080.l,34.l,101@1080.m,102.m,111.6,120.7,149.2e,160.8,192@1080.o,193.o,218.s,226.9,304.b,318.91,358.e;0.0,19@1080.90,20.90,22@1080.l,23.l,90@1080.m,91.m,103.6,120.7,141.2e,152.8,181@1080.o,182.o,218.s,226.9,304.b,318.91,358.e;0.0,8@1080.90,9.90,12@1080.l,13.l,80@1080.m,81.m,88.6,121.7,126.2e,137.8,170@1080.o,171.o,219.s,227.9,305.b,319.91,359.e,363@1080.90,364.90
CK 0.0,1.92,88.5,91.6,115.2k,154.93,186.94,216.3,217.95,299.96,301.97,359.e,360.f;0.0,1.92,107.5,110.6,114.2k,152.93,184.94,215.3,298.96,299.97,358.e,359.f;0.0,1.92,92.5,95.6,114.2k,151.93,183.94,215.3,298.96,358.e,359.f,361.u;0.0,1.92,3.98,84.5,87.6,114.2k,157.93,182.94,215.3,298.96,358.e,359.f,360.1g,361.u;0.0,1.92,2.1h,3.98,104.5,107.6,115.2k,156.93,188.94,216.3,299.96,359.e,360.f;0.0,1.92,88.5,91.6,114.2k,154.93,186.94,215.3,217.95,298.96,358.e,359.f;0.0,1.92,108.5,111.6,114.2k,153.93,185.94,215.3,216.95,298.96,300.97,358.e,359.f;0.0,1.92,100.5,103.6,114.2k,152.93,184.94,215.3,298.96,299.97,358.e,359.f;0.0,1.92,85.5,88.6,115.2k,158.93,183.94,216.3,299.96,359.e,360.f,361.1g,362.u
CK-Aitutaki ;;;;;;;;
CK-Atiu ;;;;;;;;
CK-Mangaia ;;;;;;;;
CK-Manihiki ;;;;;;;;
CK-Mitiaro ;;;;;;;;
CK-Palmerston ;;;;;;;;
CK-Penrhyn ;;;;;;;;
CK-Pukapuka ;;;;;;;;
CK-Rakahanga ;;;;;;;;
CK-Rarotonga ;;;;;;;;
CL 0.0,88.5,90.2j,121.7,141.99,171.9a,180.8r,197.9b,227.9,261.9c,262.1j,263.2g,285.28,304.9d,305.b,342.c,359.e,365.1o;0.0,107.5,109.2j,120.7,140.99,170.9a,179.8r,196.9b,226.9,260.9c,261.1j,284.28,303.9d,304.b,341.c,358.e,364.1o;0.0,92.5,94.2j,120.7,140.99,171.9a,179.8r,196.9b,226.9,260.9c,261.1j,284.28,303.9d,304.b,341.c,358.e,364.1o;0.0,84.5,86.2j,120.7,140.99,171.9a,178.8r,196.9b,226.9,259.9c,260.9c,261.1j,283.28,303.9d,304.b,341.c,358.e,364.1o;0.0,104.5,106.2j,121.7,141.99,171.9a,177.8r,197.9b,227.9,261.9c,262.1j,282.28,300.9d,305.b,342.c,359.e,365.1o;0.0,88.5,90.2j,120.7,140.99,170.9a,182.8r,196.9b,226.9,259.9c,260.9c,261.1j,287.28,304.b,305.9d,341.c,358.e,364.1o;0.0,108.5,110.2j,120.7,140.99,171.9a,179.8r,196.9b,226.9,260.9c,261.1j,262.2g,284.28,303.9d,304.b,341.c,358.e,364.1o;0.0,100.5,102.2j,120.7,140.99,171.9a,179.8r,196.9b,226.9,260.9c,261.1j,284.28,303.9d,304.b,341.c,358.e,364.1o;0.0,85.5,87.2j,121.7,141.99,171.9a,179.8r,197.9b,227.9,260.9c,261.9c,262.1j,284.28,304.9d,305.b,342.c,359.e,365.1o
CL-AP 158.9e;157.9e;157.9e;157.9e;158.9e;157.9e;157.9e;157.9e;158.9e
CL-BI ;;;;;;;;
CL-BI-CH ;;;;;;;;
CL-NU ;;;;;;;;
CL-NU-CH 232.9f;231.9f;231.9f;231.9f;232.9f;231.9f;231.9f;231.9f;232.9f
CL-TA ;;;;;;;;
CM 0.0,41.19,88.5,99@1080.l,100.l,121.7,129.2e,140.p,166@1080.m,167.m,227.9,359.e;0.0,41.19,87@1080.l,88.l,107.5,120.7,139.p,148.2e,155@1080.m,156.m,226.9,358.e;0.0,41.19,77@1080.l,78.l,92.5,120.7,133.2e,139.p,145@1080.m,146.m,226.9,358.e;0.0,41.19,66@1080.l,67.l,84.5,120.7,125.2e,134@1080.m,135.m,139.p,226.9,358.e;0.0,41.19,55@1080.l,56.l,104.5,121.7,124@1080.m,125.m,140.p,145.2e,227.9,359.e;0.0,41.19,43@1080.l,44.l,88.5,112@1080.m,113.m,120.7,129.2e,139.p,226.9,358.e;0.0,33@1080.l,34.l,41.19,101@1080.m,102.m,108.5,120.7,139.p,149.2e,226.9,358.e;0.0,22@1080.l,23.l,41.19,90@1080.m,91.m,100.5,120.7,139.p,141.2e,226.9,358.e;0.0,12@1080.l,13.l,41.19,80@1080.m,81.m,85.5,121.7,126.2e,140.p,227.9,359.e
CN 0.0,39.35,40.35,41.35,67@720.1k,94.9g,121.7,124@720.19,152.9h,161.9i,213@720.1j,260.9j,274.p,275.p,276.p;0.0,27.35,28.35,29.35,66@720.1k,93.9g,120.7,123@720.19,150.9i,151.9h,212@720.1j,273.p,274.p,275.p,278.9j;0.0,46.35,47.35,48.35,66@720.1k,94.9g,120.7,123@720.19,151.9h,169.9i,212@720.1j,267.9j,273.p,274.p,275.p;0.0,35.35,36.35,37.35,66@720.1k,94.9g,120.7,123@720.19,151.9h,159.9i,212@720.1j,257.9j,273.p,274.p,275.p;0.0,24.35,25.35,26.35,67@720.1k,94.9g,121.7,124@720.19,148.9i,152.9h,213@720.1j,274.p,275.p,276.p;0.0,42.35,43.35,44.35,66@720.1k,93.9g,120.7,123@720.19,151.9h,166.9i,212@720.1j,264.9j,273.p,274.p,275.p;0.0,32.35,33.35,34.35,66@720.1k,94.9g,120.7,123@720.19,151.9h,155.9i,212@720.1j,254.9j,273.p,274.p,275.p;0.0,21.35,22.35,23.35,66@720.1k,94.9g,120.7,123@720.19,151.9h,174.9i,212@720.1j,273.p,274.p,275.p;0.0,40.35,41.35,42.35,67@720.1k,94.9g,121.7,124@720.19,152.9h,163.9i,213@720.1j,262.9j,274.p,275.p,276.p
CO 0.0,7.1,84.8m,87.4,88.5,90.2j,121.7,133.2e,154.2f,161.9k,182.8r,201.s,219.9l,231.9,287.28,308.b,315.9m,342.c,359.e;0.0,5.1,82.8m,106.4,107.5,109.2j,120.7,152.2e,173.2f,180.9k,200.s,218.9l,229.9,285.28,306.b,320.9m,341.c,358.e;0.0,11.1,81.8m,91.4,92.5,94.2j,120.7,137.2e,158.2f,165.9k,179.8r,193.9n,200.s,218.9l,228.9,284.28,305.b,319.9m,341.c,358.e;0.0,10.1,80.8m,83.4,84.5,86.2j,120.7,129.2e,150.2f,157.9k,185.8r,192.9n,200.s,218.9l,227.9,290.28,304.b,318.9m,341.c,358.e;0.0,9.1,79.8m,103.4,104.5,106.2j,121.7,149.2e,170.2f,177.9k,184.8r,191.9n,201.s,219.9l,233.9,289.28,310.b,317.9m,342.c,359.e;0.0,7.1,77.8m,87.4,88.5,90.2j,120.7,133.2e,154.2f,161.9k,182.8r,189.9n,200.s,218.9l,231.9,287.28,308.b,315.9m,341.c,358.e;0.0,6.1,83.8m,107.4,108.5,110.2j,120.7,153.2e,174.2f,181.9k,195.9n,200.s,218.9l,230.9,286.28,307.b,314.9m,341.c,358.e;0.0,5.1,82.8m,99.4,100.5,102.2j,120.7,145.2e,166.2f,173.9k,180.8r,194.9n,200.s,218.9l,229.9,285.28,306.b,320.9m,341.c,358.e;0.0,11.1,81.8m,84.4,85.5,87.2j,121.7,130.2e,151.2f,158.9k,186.8r,193.9n,201.s,219.9l,228.9,291.28,305.b,319.9m,342.c,359.e
CR 0.0,87.4,88.5,101.9o,121.7,206.9p,214.9q,227.1l,258.s,285.28,359.e;0.0,100.9o,106.4,107.5,120.7,205.9p,213.9q,226.1l,257.s,284.28,358.e;0.0,91.4,92.5,100.9o,120.7,205.9p,213.9q,226.1l,257.s,281.28,358.e;0.0,83.4,84.5,100.9o,120.7,205.9p,213.9q,226.1l,257.s,284.28,358.e;0.0,101.9o,103.4,104.5,121.7,206.9p,214.9q,227.1l,258.s,285.28,359.e;0.0,87.4,88.5,100.9o,120.7,205.9p,213.9q,226.1l,257.s,284.28,358.e;0.0,100.9o,107.4,108.5,120.7,205.9p,213.9q,226.1l,257.s,284.28,358.e;0.0,99.4,100.9o,120.7,205.9p,213.9q,226.1l,257.s,284.28,358.e;0.0,84.4,85.5,101.9o,121.7,206.9p,214.9q,227.1l,258.s,285.28,359.e
CU 0.9r,1.9s,88.5,121.7,206.9t,207.9u,208.9v,283.s,359.e;0.9r,1.9s,107.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,92.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,84.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,104.5,121.7,206.9t,207.9u,208.9v,283.s,359.e;0.9r,1.9s,88.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,108.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,100.5,120.7,205.9t,206.9u,207.9v,282.s,358.e;0.9r,1.9s,85.5,121.7,206.9t,207.9u,208.9v,283.s,359.e
CV 0.0,12.9w,19.9x,43.2,44.9y,88.5,121.7,152.9h,186.s,227.9,255.p,305.b,359.e;0.0,12.9w,19.9x,62.2,63.9y,107.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,47.2,48.9y,92.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,39.2,40.9y,84.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,59.2,60.9y,104.5,121.7,152.9h,186.s,227.9,255.p,305.b,359.e;0.0,12.9w,19.9x,43.2,44.9y,88.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,63.2,64.9y,108.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,55.2,56.9y,100.5,120.7,151.9h,185.s,226.9,254.p,304.b,358.e;0.0,12.9w,19.9x,40.2,41.9y,85.5,121.7,152.9h,186.s,227.9,255.p,305.b,359.e
CV-S ;;;;;;;;
CV-S-PR 139.9z;138.9z;138.9z;138.9z;139.9z;138.9z;138.9z;138.9z;139.9z
CW 0.0,42.5i,88.5,91.6,117.30,121.7,129.2e,183.3a,283.a0,359.e,360.f,365@720.1o;0.0,61.5i,107.5,110.6,116.30,120.7,148.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,46.5i,92.5,95.6,116.30,120.7,133.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,38.5i,84.5,87.6,116.30,120.7,125.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,58.5i,104.5,107.6,117.30,121.7,145.2e,183.3a,283.a0,359.e,360.f,365@720.1o;0.0,42.5i,88.5,91.6,116.30,120.7,129.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,62.5i,108.5,111.6,116.30,120.7,149.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,54.5i,100.5,103.6,116.30,120.7,141.2e,182.3a,282.a0,358.e,359.f,364@720.1o;0.0,39.5i,85.5,88.6,117.30,121.7,126.2e,183.3a,283.a0,359.e,360.f,365@720.1o
CX 0.0,25.2h,40.4r,41.4r,84.7,88.5,99@1080.l,100.l,115.2k,166@1080.m,167.m,279.a1,359.e,360.f;0.0,25.2h,28.4r,29.4r,82.7,87@1080.l,88.l,107.5,114.2k,155@1080.m,156.m,278.a1,358.e,359.f;0.0,25.2h,47.4r,48.4r,77@1080.l,78.l,81.7,92.5,114.2k,145@1080.m,146.m,278.a1,358.e,359.f;0.0,25.2h,36.4r,37.4r,66@1080.l,67.l,80.7,84.5,114.2k,134@1080.m,135.m,278.a1,358.e,359.f;0.0,25.2h,26.4r,55@1080.l,56.l,86.7,104.5,115.2k,124@1080.m,125.m,279.a1,359.e,360.f;0.0,25.2h,43.4r,44.4r,84.7,88.5,112@1080.m,113.m,114.2k,278.a1,358.e,359.f;0.0,25.2h,33.4r,34.4r,83.7,101@1080.m,102.m,108.5,114.2k,278.a1,358.e,359.f;0.0,22.4r,23.4r,25.2h,82.7,90@1080.m,91.m,100.5,114.2k,278.a1,358.e,359.f;0.0,12@1080.l,13.l,25.2h,41.4r,42.4r,80@1080.m,81.m,85.5,115.2k,279.a1,359.e,360.f
CY 0.0,5.1,78.a2,84.a3,91.a4,121.7,123.5,125.2j,126.6,174.3w,227.9,274.a5,301.2g,359.e,360.f;0.0,5.1,62.a2,83.a3,90.a4,107.5,109.2j,110.6,120.7,158.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,54.a2,83.a3,90.a4,99.5,101.2j,102.6,120.7,150.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,74.a2,83.a3,90.a4,119.5,120.7,121.2j,122.6,170.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,59.a2,84.a3,91.a4,104.5,106.2j,107.6,121.7,155.3w,227.9,274.a5,301.2g,359.e,360.f;0.0,5.1,50.a2,83.a3,90.a4,95.5,97.2j,98.6,120.7,146.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,70.a2,83.a3,90.a4,115.5,117.2j,118.6,120.7,166.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,55.a2,83.a3,90.a4,100.5,102.2j,103.6,120.7,151.3w,226.9,273.a5,300.2g,358.e,359.f;0.0,5.1,75.a2,84.a3,91.a4,120.5,121.7,122.2j,123.6,171.3w,227.9,274.a5,301.2g,359.e,360.f
CZ 0.0,88.5,91.6,121.7,128.18,186.a6,187.a7,271.a8,301.a9,321.aa,358.d,359.e,360.f;0.0,107.5,110.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,92.5,95.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,84.5,87.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,104.5,107.6,121.7,128.18,186.a6,187.a7,271.a8,301.a9,321.aa,358.d,359.e,360.f;0.0,88.5,91.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,108.5,111.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,100.5,103.6,120.7,127.18,185.a6,186.a7,270.a8,300.a9,320.aa,357.d,358.e,359.f;0.0,85.5,88.6,121.7,128.18,186.a6,187.a7,271.a8,301.a9,321.aa,358.d,359.e,360.f
DE 0.0,88.5,91.6,121.7,129.2e,140.8,276.2g,358@840.d,359.e,360.f,365@840.1o;0.0,107.5,110.6,120.7,148.2e,159.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,92.5,95.6,120.7,133.2e,144.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,84.5,87.6,120.7,125.2e,136.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,104.5,107.6,121.7,145.2e,156.8,276.2g,358.d,359.e,360.f,365.1o;0.0,88.5,91.6,120.7,129.2e,140.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,108.5,111.6,120.7,149.2e,160.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,100.5,103.6,120.7,141.2e,152.8,275.2g,357@840.d,358.e,359.f,364@840.1o;0.0,85.5,88.6,121.7,126.2e,137.8,276.2g,358@840.d,359.e,360.f,365@840.1o
DE-BB 90.2j,139.3w,304.9d;109.2j,158.3w,303.9d;94.2j,143.3w,303.9d;86.2j,135.3w,303.9d;106.2j,155.3w,304.9d;90.2j,139.3w,303.9d;110.2j,159.3w,303.9d;102.2j,151.3w,303.9d;87.2j,136.3w,304.9d
DE-BE 67.1k;66.1k,127.ab;66.1k;66.1k;67.1k,168.ac;66.1k;66.1k;66.1k;67.1k
DE-BW 5.1,150.2f,305.b;5.1,169.2f,304.b;5.1,154.2f,304.b;5.1,146.2f,304.b;5.1,166.2f,305.b;5.1,150.2f,304.b;5.1,170.2f,304.b;5.1,162.2f,304.b;5.1,147.2f,305.b
DE-BY 5.1,150.2f,305.b;5.1,169.2f,304.b;5.1,154.2f,304.b;5.1,146.2f,304.b;5.1,166.2f,305.b;5.1,150.2f,304.b;5.1,170.2f,304.b;5.1,162.2f,304.b;5.1,147.2f,305.b
DE-BY-A 220.ad,227.9;219.ad,226.9;219.ad,226.9;219.ad,226.9;220.ad,227.9;219.ad,226.9;219.ad,226.9;219.ad,226.9;220.ad,227.9
DE-BY-KATH 227.9;226.9;226.9;226.9;227.9;226.9;226.9;226.9;227.9
DE-BY-EVANG ;;;;;;;;
DE-HB 304.9d;303.9d;303.9d;303.9d;304.9d;303.9d;303.9d;303.9d;304.9d
DE-HE 150.2f;169.2f;154.2f;146.2f;166.2f;150.2f;170.2f;162.2f;147.2f
DE-HH 304.9d;303.9d;303.9d;303.9d;304.9d;303.9d;303.9d;303.9d;304.9d
DE-MV 67.1k,304.9d;66.1k,303.9d;66.1k,303.9d;66.1k,303.9d;67.1k,304.9d;66.1k,303.9d;66.1k,303.9d;66.1k,303.9d;67.1k,304.9d
DE-NI 304.9d;303.9d;303.9d;303.9d;304.9d;303.9d;303.9d;303.9d;304.9d
DE-NW 150.2f,305.b;169.2f,304.b;154.2f,304.b;146.2f,304.b;166.2f,305.b;150.2f,304.b;170.2f,304.b;162.2f,304.b;147.2f,305.b
DE-RP 150.2f,305.b;169.2f,304.b;154.2f,304.b;146.2f,304.b;166.2f,305.b;150.2f,304.b;170.2f,304.b;162.2f,304.b;147.2f,305.b
DE-SH 304.9d;303.9d;303.9d;303.9d;304.9d;303.9d;303.9d;303.9d;304.9d
DE-SL 150.2f,227.9,305.b;169.2f,226.9,304.b;154.2f,226.9,304.b;146.2f,226.9,304.b;166.2f,227.9,305.b;150.2f,226.9,304.b;170.2f,226.9,304.b;162.2f,226.9,304.b;147.2f,227.9,305.b
DE-SN 304.9d,324.ae;303.9d,322.ae;303.9d,321.ae;303.9d,320.ae;304.9d,326.ae;303.9d,324.ae;303.9d,323.ae;303.9d,322.ae;304.9d,321.ae
DE-SN-BZ 150.2f;169.2f;154.2f;146.2f;166.2f;150.2f;170.2f;162.2f;147.2f
DE-ST 5.1,304.9d;5.1,303.9d;5.1,303.9d;5.1,303.9d;5.1,304.9d;5.1,303.9d;5.1,303.9d;5.1,303.9d;5.1,304.9d
DE-TH 263.af,304.9d;262.af,303.9d;262.af,303.9d;262.af,303.9d;263.af,304.9d;262.af,303.9d;262.af,303.9d;262.af,303.9d;263.af,304.9d
DE-TH-EIC 150.2f;169.2f;154.2f;146.2f;166.2f;150.2f;170.2f;162.2f;147.2f
DE-TH-UH 150.2f;169.2f;154.2f;146.2f;166.2f;150.2f;170.2f;162.2f;147.2f
DE-TH-WAK 150.2f;169.2f;154.2f;146.2f;166.2f;150.2f;170.2f;162.2f;147.2f
DJ 0.0,37@1080.j,38.j,99@1080.l,100.l,121.7,165@1080.4e,166.4e,167.m,178.s,187@1080.n,188.n,257@1080.o,258.o,359.e;0.0,25@1080.j,26.j,87@1080.l,88.l,120.7,154@1080.4e,155.4e,156.m,175@1080.n,176.n,177.s,245@1080.o,246.o,358.e;0.0,14@1080.j,15.j,77@1080.l,78.l,120.7,144@1080.4e,145.4e,146.m,165@1080.n,166.n,177.s,235@1080.o,236.o,358.e;0.0,3@1080.j,4.j,66@1080.l,67.l,120.7,133@1080.4e,134.4e,135.m,155@1080.n,156.n,177.s,224@1080.o,225.o,357@1080.j,358.j;0.0,55@1080.l,56.l,121.7,123@1080.4e,124.4e,125.m,144@1080.n,145.n,178.s,214@1080.o,215.o,347@1080.j,348.j,359.e;0.0,43@1080.l,44.l,111@1080.4e,112.4e,113.m,120.7,132@1080.n,133.n,177.s,203@1080.o,204.o,335@1080.j,336.j,358.e;0.0,33@1080.l,34.l,100@1080.4e,101.4e,102.m,120.7,121@1080.n,122.n,177.s,192@1080.o,193.o,325@1080.j,326.j,358.e;0.0,22@1080.l,23.l,89@1080.4e,90.4e,91.m,111@1080.n,112.n,120.7,177.s,181@1080.o,182.o,314@1080.j,315.j,358.e;0.0,12@1080.l,13.l,79@1080.4e,80.4e,81.m,100@1080.n,101.n,121.7,170@1080.o,171.o,178.s,304@1080.j,305.j,359.e
DK 0.0,87.4,88.5,90.2j,91.6,129.2e,139.3w,140.8,359.e,360.f;0.0,106.4,107.5,109.2j,110.6,148.2e,158.3w,159.8,358.e,359.f;0.0,91.4,92.5,94.2j,95.6,133.2e,143.3w,144.8,358.e,359.f;0.0,83.4,84.5,86.2j,87.6,125.2e,135.3w,136.8,358.e,359.f;0.0,103.4,104.5,106.2j,107.6,145.2e,155.3w,156.8,359.e,360.f;0.0,87.4,88.5,90.2j,91.6,129.2e,139.3w,140.8,358.e,359.f;0.0,107.4,108.5,110.2j,111.6,149.2e,159.3w,160.8,358.e,359.f;0.0,99.4,100.5,102.2j,103.6,141.2e,151.3w,152.8,358.e,359.f;0.0,84.4,85.5,87.2j,88.6,126.2e,136.3w,137.8,359.e,360.f
DM 0.0,42.5i,43.ag,88.5,91.6,121.7,140.8,217.3x,308.s,309.ah,359.e,360.f;0.0,61.5i,62.ag,107.5,110.6,120.7,159.8,215.3x,306.s,307.ah,358.e,359.f;0.0,46.5i,47.ag,92.5,95.6,120.7,144.8,214.3x,306.s,307.ah,358.e,359.f;0.0,38.5i,39.ag,84.5,87.6,120.7,136.8,213.3x,306.s,307.ah,358.e,359.f,360.u;0.0,58.5i,59.ag,104.5,107.6,121.7,156.8,219.3x,307.s,308.ah,359.e,360.f;0.0,42.5i,43.ag,88.5,91.6,120.7,140.8,217.3x,306.s,308.ah,358.e,359.f;0.0,62.5i,63.ag,108.5,111.6,120.7,160.8,216.3x,307.s,308.ah,358.e,359.f;0.0,54.5i,55.ag,100.5,103.6,120.7,152.8,215.3x,306.s,307.ah,358.e,359.f;0.0,39.5i,40.ag,85.5,88.6,121.7,137.8,214.3x,307.s,308.ah,359.e,360.f,361.u
DO 0.0,5.1,20.ai,28.aj,57.s,88.5,119.7,150.2f,228.ak,267.al,315.3,359.e;0.0,5.1,20.ai,25.aj,57.s,107.5,124.7,169.2f,227.ak,266.al,313.3,358.e;0.0,4.1,20.ai,25.aj,57.s,92.5,123.7,154.2f,227.ak,266.al,312.3,358.e;0.0,3.1,20.ai,24.aj,57.s,84.5,120.7,146.2f,227.ak,266.al,311.3,358.e;0.0,9.1,20.ai,23.aj,57.s,104.5,121.7,166.2f,228.ak,267.al,310.3,359.e;0.0,5.1,20.ai,28.aj,57.s,88.5,119.7,150.2f,227.ak,266.al,315.3,358.e;0.0,5.1,20.ai,25.aj,57.s,108.5,118.7,170.2f,227.ak,266.al,314.3,358.e;0.0,5.1,20.ai,25.aj,57.s,100.5,124.7,162.2f,227.ak,266.al,313.3,358.e;0.0,4.1,20.ai,25.aj,57.s,85.5,121.7,147.2f,228.ak,267.al,312.3,359.e
DZ 0.0,11.am,99@1080.l,100.l,121.7,166@1080.m,167.m,186.s,187@1080.n,188.n,196@1080.44,197.44,257@1080.o,258.o,305.an;0.0,11.am,87@1080.l,88.l,120.7,155@1080.m,156.m,175@1080.n,176.n,184@1080.44,185.44,245@1080.o,246.o,304.an;0.0,11.am,77@1080.l,78.l,120.7,145@1080.m,146.m,165@1080.n,166.n,174@1080.44,175.44,185.s,235@1080.o,236.o,304.an;0.0,11.am,66@1080.l,67.l,120.7,134@1080.m,135.m,155@1080.n,156.n,164@1080.44,165.44,185.s,224@1080.o,225.o,304.an;0.0,11.am,55@1080.l,56.l,121.7,124@1080.m,125.m,144@1080.n,145.n,153@1080.44,154.44,186.s,214@1080.o,215.o,305.an;0.0,11.am,43@1080.l,44.l,112@1080.m,113.m,120.7,132@1080.n,133.n,141@1080.44,142.44,185.s,203@1080.o,204.o,304.an;0.0,11.am,33@1080.l,34.l,101@1080.m,102.m,120.7,121@1080.n,122.n,130@1080.44,131.44,185.s,192@1080.o,193.o,304.an;0.0,11.am,22@1080.l,23.l,90@1080.m,91.m,111@1080.n,112.n,120.7,121.44,181@1080.o,182.o,185.s,304.an;0.0,11.am,12@1080.l,13.l,80@1080.m,81.m,100@1080.n,101.n,109@1080.44,110.44,121.7,170@1080.o,171.o,186.s,305.an
EC 0.0,42.5n,43.2,87.4,88.5,121.7,144.ao,222.ap,253.aq,306.1s,307.ar,359.e;0.0,61.5n,62.2,106.4,107.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,46.5n,47.2,91.4,92.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,38.5n,39.2,83.4,84.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,58.5n,59.2,103.4,104.5,121.7,144.ao,222.ap,253.aq,306.1s,307.ar,359.e;0.0,42.5n,43.2,87.4,88.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,62.5n,63.2,107.4,108.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,54.5n,55.2,99.4,100.5,120.7,143.ao,221.ap,252.aq,305.1s,306.ar,358.e;0.0,39.5n,40.2,84.4,85.5,121.7,144.ao,222.ap,253.aq,306.1s,307.ar,359.e
EC-P ;;;;;;;;
EC-P-QU ;;;;;;;;
EE 0.0,54.s,88.5,90.2j,121.7,139.3w,174.3s,175.33,232.as,358.d,359.e,360.f;0.0,54.s,107.5,109.2j,120.7,158.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,92.5,94.2j,120.7,143.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,84.5,86.2j,120.7,135.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,104.5,106.2j,121.7,155.3w,174.3s,175.33,232.as,358.d,359.e,360.f;0.0,54.s,88.5,90.2j,120.7,139.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,108.5,110.2j,120.7,159.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,100.5,102.2j,120.7,151.3w,173.3s,174.33,231.as,357.d,358.e,359.f;0.0,54.s,85.5,87.2j,121.7,136.3w,174.3s,175.33,232.as,358.d,359.e,360.f
EG 6.e,24.at,99@1080.l,100.l,101.l,102.l,115.au,121.7,126.av,166@1080.m,167.m,168.m,169.m,170.m,181.aw,187@1080.n,188.n,204.an,257@1080.o,258.o,279.4t;6.e,24.at,87@1080.l,88.l,89.l,90.l,110.av,114.au,120.7,155@1080.m,156.m,157.m,158.m,159.m,175@1080.n,176.n,180.aw,203.an,245@1080.o,246.o,278.4t;6.e,24.at,77@1080.l,78.l,79.l,80.l,102.av,114.au,120.7,145@1080.m,146.m,147.m,148.m,149.m,165@1080.n,166.n,180.aw,203.an,235@1080.o,236.o,278.4t;6.e,24.at,66@1080.l,67.l,68.l,69.l,114.au,120.7,122.av,134@1080.m,135.m,136.m,137.m,138.m,155@1080.n,156.n,180.aw,203.an,224@1080.o,225.o,278.4t;6.e,24.at,55@1080.l,56.l,57.l,58.l,107.av,115.au,121.7,124@1080.m,125.m,126.m,127.m,128.m,144@1080.n,145.n,181.aw,204.an,214@1080.o,215.o,279.4t;6.e,24.at,43@1080.l,44.l,45.l,46.l,98.av,112@1080.m,113.m,114.m,115.m,116.m,120.7,132@1080.n,133.n,180.aw,203.an,204.o,278.4t;6.e,24.at,33@1080.l,34.l,35.l,36.l,101@1080.m,102.m,103.m,104.m,105.m,114.au,118.av,120.7,121@1080.n,122.n,180.aw,192@1080.o,193.o,203.an,278.4t;6.e,22@1080.l,23.l,24.l,25.l,90@1080.m,91.m,92.m,93.m,94.m,103.av,111@1080.n,112.n,114.au,120.7,180.aw,181@1080.o,182.o,203.an,278.4t;6.e,12@1080.l,13.l,14.l,15.l,24.at,80@1080.m,81.m,82.m,83.m,84.m,100@1080.n,101.n,115.au,121.7,123.av,170@1080.o,171.o,181.aw,204.an,279.4t
EH 57.s,67.ax,99@1080.l,100.l,101.l,130.ay,160.87,166@1080.m,167.m,168.m,187@1080.n,188.n,257@1080.o,258.o;57.s,66.ax,87@1080.l,88.l,89.l,129.ay,155@1080.m,156.m,157.m,159.87,167.az,175@1080.n,176.n,245@1080.o,246.o;57.s,66.ax,77@1080.l,78.l,79.l,129.ay,145@1080.m,146.m,147.m,159.87,165@1080.n,166.n,167.az,235@1080.o,236.o;57.s,66.ax,67.l,68.l,129.ay,134@1080.m,135.m,136.m,155@1080.n,156.n,159.87,167.az,224@1080.o,225.o;55@1080.l,56.l,57.l,67.ax,124@1080.m,125.m,126.m,130.ay,144@1080.n,145.n,160.87,168.az,214@1080.o,215.o;43@1080.l,44.l,45.l,57.s,66.ax,112@1080.m,113.m,114.m,129.ay,132@1080.n,133.n,159.87,167.az,203@1080.o,204.o;33@1080.l,34.l,35.l,57.s,66.ax,101@1080.m,102.m,103.m,121@1080.n,122.n,129.ay,159.87,167.az,192@1080.o,193.o;22@1080.l,23.l,24.l,57.s,66.ax,90@1080.m,91.m,92.m,111@1080.n,112.n,129.ay,159.87,167.az,181@1080.o,182.o;12@1080.l,13.l,14.l,57.s,67.ax,80@1080.m,81.m,82.m,100@1080.n,101.n,130.ay,160.87,168.az,170@1080.o,171.o
ER 0.0,6.3l,18.1,40.b0,67.1k,99@1080.l,100.l,121.7,123.b1,125.15,144.s,166@1080.m,167.m,171.b2,244.an,255.b3,257@1080.o,258.o,271.b4,359.e;0.0,6.3l,18.1,40.b0,66.1k,87@1080.l,88.l,107.b1,109.15,120.7,143.s,155@1080.m,156.m,170.b2,243.an,245@1080.o,246.o,253.b3,269.b4,358.e;0.0,6.3l,18.1,40.b0,66.1k,77@1080.l,78.l,99.b1,101.15,120.7,143.s,145@1080.m,146.m,170.b2,235@1080.o,236.o,243.an,253.b3,269.b4,358.e;0.0,6.3l,18.1,40.b0,66.1k,67.l,119.b1,120.7,121.15,134@1080.m,135.m,143.s,170.b2,224@1080.o,225.o,243.an,253.b3,269.b4,358.e;0.0,6.3l,18.1,40.b0,55@1080.l,56.l,67.1k,104.b1,106.15,121.7,124@1080.m,125.m,144.s,171.b2,214@1080.o,215.o,244.an,255.b3,271.b4,359.e;0.0,6.3l,18.1,40.b0,43@1080.l,44.l,66.1k,95.b1,97.15,112@1080.m,113.m,120.7,143.s,170.b2,203@1080.o,204.o,243.an,253.b3,269.b4,358.e;0.0,6.3l,18.1,33@1080.l,34.l,40.b0,66.1k,101@1080.m,102.m,115.b1,117.15,120.7,143.s,170.b2,192@1080.o,193.o,243.an,253.b3,269.b4,358.e;0.0,6.3l,18.1,22@1080.l,23.l,40.b0,66.1k,90@1080.m,91.m,100.b1,102.15,120.7,143.s,170.b2,181@1080.o,182.o,243.an,253.b3,269.b4,358.e;0.0,6.3l,12@1080.l,13.l,18.1,40.b0,67.1k,80@1080.m,81.m,120.b1,121.7,122.15,144.s,170@1080.o,171.o,244.an,255.b3,271.b4,359.e
ES 0.0,5.1,88.5,121.7,227.9,285.b5,305.b,340.b6,342.c,359.e;0.0,5.1,107.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,92.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,84.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,104.5,121.7,227.9,285.b5,305.b,340.b6,342.c,359.e;0.0,5.1,88.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,108.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,100.5,120.7,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,85.5,121.7,227.9,285.b5,305.b,340.b6,342.c,359.e
ES-AN 58.b7,87.4;58.b7,106.4;58.b7,91.4,305.b8,340.b9;58.b7,59.ba,83.4,227.bb;58.b7,103.4;58.b7,87.4;58.b7,107.4;58.b7,99.4;58.b7,84.4,228.bb
ES-AR 87.4,113.bc;106.4,112.bc;91.4,112.bc,305.b8,340.b9;83.4,112.bc,227.bb;103.4,113.bc,114.bd;87.4,112.bc;107.4,112.bc;99.4,112.bc;84.4,113.bc,228.bb
ES-AS 87.4,251.be,252.be;106.4,250.be;91.4,250.be,305.b8,340.b9;83.4,227.bb,250.be;103.4,251.be;87.4,250.be;107.4,250.be,251.be;99.4,250.be;84.4,228.bb,251.be
ES-CB 87.4,179.bf,258.bg,259.bg;106.4,178.bf,257.bg;91.4,178.bf,257.bg,340.b9;83.4,178.bf,257.bg;103.4,179.bf,258.bg;87.4,178.bf,257.bg;107.4,178.bf,257.bg,258.bg;99.4,178.bf,257.bg;84.4,179.bf,258.bg
ES-CE 87.4,165@1080.4e,166.4e,217.bh,245.bi;106.4,154@1080.4e,155.4e,216.bh,244.bi;91.4,144@1080.4e,145.4e,216.bh,244.bi;83.4,133@1080.4e,134.4e,216.bh,244.bi;103.4,123@1080.4e,124.4e,217.bh,245.bi;87.4,111@1080.4e,112.4e,216.bh,217.bh,244.bi,245.bi;100@1080.4e,101.4e,107.4,216.bh,244.bi;89@1080.4e,90.4e,99.4,216.bh,244.bi;79@1080.4e,80.4e,84.4,217.bh,245.bi
ES-CL 87.4,113.bj;106.4,112.bj;91.4,112.bj,305.b8,340.b9;83.4,112.bj,227.bb;103.4,113.bj,114.bj;87.4,112.bj;107.4,112.bj;99.4,112.bj;84.4,113.bj,228.bb
ES-CM 87.4,150.2f,151.bk;106.4,150.bk,169.2f;91.4,150.bk,154.2f,305.b8;83.4,146.2f,150.bk;103.4,151.bk,166.2f;87.4,150.2f;107.4,150.bk,170.2f;99.4,150.bk,162.2f;84.4,147.2f,151.bk
ES-CN 87.4,150.bl;106.4,149.bl;91.4,149.bl,305.b8;83.4,149.bl,150.bm,227.bb;103.4,150.bl;87.4,149.bl;107.4,149.bl;99.4,149.bl;84.4,150.bl,151.bm,228.bb
ES-CN-EH 267.bn;266.bn;266.bn;266.bn;267.bn;266.bn;266.bn;266.bn;267.bn
ES-CN-FU 261.bo;260.bo;260.bo;260.bo;261.bo;260.bo;260.bo;260.bo;261.bo
ES-CN-GC 251.bp;250.bp;250.bp;250.bp;251.bp;250.bp;250.bp;250.bp;251.bp
ES-CN-LG 278.bq;277.bq;277.bq;277.bq;278.bq;277.bq;277.bq;277.bq;278.bq
ES-CN-LP 217.br;216.br;216.br;216.br;217.br;216.br;216.br;216.br;217.br
ES-CN-LA 258.bs;257.bs;257.bs;257.bs;258.bs;257.bs;257.bs;257.bs;258.bs
ES-CN-TE 250.bt;249.bt;249.bt;249.bt;250.bt;249.bt;249.bt;249.bt;250.bt
ES-CT 91.6,175.bu,254.bv,360.bw;110.6,174.bu,253.bv,359.bw;95.6,174.bu,253.bv,359.bw;87.6,122.bx,174.bu,253.bv,359.bw;107.6,175.bu,254.bv,360.bw;91.6,174.bu,253.bv,359.bw;111.6,174.bu,253.bv,359.bw;103.6,174.bu,253.bv,359.bw;88.6,123.bx,175.bu,254.bv,360.bw
ES-CT-B 267.by;266.by;266.by;266.by;267.by;266.by;266.by;266.by;267.by
ES-EX 87.4,251.bz,252.bz;106.4,250.bz;91.4,250.bz,305.b8,340.b9;83.4,250.bz;103.4,251.bz;87.4,250.bz;107.4,250.bz,251.bz;99.4,250.bz;84.4,251.bz
ES-GA 78.8m,87.4,137.c0,206.c1;77.8m,106.4,136.c0,205.c1;77.8m,91.4,136.c0,205.c1;77.8m,83.4,136.c0,205.c1;78.8m,103.4,137.c0,206.c1;77.8m,87.4,136.c0,205.c1;77.8m,107.4,136.c0,205.c1;77.8m,99.4,136.c0,205.c1;78.8m,84.4,137.c0,206.c1
ES-IB 60.c2,87.4,91.6;59.c2,106.4,110.6;59.c2,60.c3,91.4,95.6;59.c2,83.4,87.6;60.c2,103.4,107.6;59.c2,87.4,91.6;59.c2,107.4,111.6;59.c2,99.4,103.6;60.c2,84.4,88.6
ES-MC 78.8m,87.4;77.8m,106.4;77.8m,91.4,340.b9;77.8m,83.4;78.8m,103.4;77.8m,87.4;77.8m,107.4;77.8m,99.4;78.8m,84.4
ES-MD 87.4,122.c4;106.4,121.c4;91.4,121.c4,305.b8,340.b9;83.4,122.c4;103.4,122.c4;87.4,121.c4;107.4,121.c4;99.4,121.c4;84.4,123.c4
ES-ML 87.4,99@1080.l,100.l,166@1080.m,167.m;87@1080.l,88.l,106.4,155@1080.m,156.m;77@1080.l,78.l,91.4,145@1080.m,146.m,340.b9;66@1080.l,67.l,83.4,134@1080.m,135.m;55@1080.l,56.l,103.4,124@1080.m,125.m;43@1080.l,44.l,87.4,112@1080.m,113.m;33@1080.l,34.l,101@1080.m,102.m,107.4;22@1080.l,23.l,90@1080.m,91.m,99.4;12@1080.l,13.l,80@1080.m,81.m,84.4
ES-NC 78.8m,87.4,91.6;77.8m,106.4,110.6;77.8m,91.4,95.6,305.b8;77.8m,83.4,87.6;78.8m,103.4,107.6;77.8m,87.4,91.6;77.8m,107.4,111.6;77.8m,99.4,103.6;78.8m,84.4,88.6
ES-PV 78.8m,87.4,91.6,206.c5;77.8m,106.4,110.6,205.c5;77.8m,91.4,95.6,205.c5;77.8m,83.4,87.6,205.c5;78.8m,103.4,107.6,206.c5;77.8m,87.4,91.6,205.c5;77.8m,107.4,111.6,205.c5;77.8m,99.4,103.6,205.c5;78.8m,84.4,88.6,206.c5
ES-RI 87.4,91.6,160.c6;106.4,110.6,159.c6;91.4,95.6,159.c6,340.b9;83.4,87.6,159.c6;103.4,107.6,160.c6;87.4,91.6,159.c6;107.4,111.6,159.c6;99.4,103.6,159.c6;84.4,88.6,160.c6
ES-VC 78.8m,91.6,175.bu;77.8m,110.6,174.bu;77.8m,95.6,174.bu;77.8m,87.6,174.bu;78.8m,107.6,175.bu;77.8m,91.6,174.bu;77.8m,111.6,174.bu;77.8m,103.6,174.bu;78.8m,88.6,175.bu
ET 6.e,18.1,61.c7,69@1080.k,70.k,87.c8,99@1080.l,100.l,123.5,125.2j,148.c9,166@1080.m,167.m,255.0,257@1080.o,258.o,271.ca;5.e,18.1,58@1080.k,59.k,60.c7,86.c8,87@1080.l,88.l,107.5,109.2j,147.c9,155@1080.m,156.m,245@1080.o,246.o,253.0,269.ca;5.e,18.1,47@1080.k,48.k,60.c7,77@1080.l,78.l,86.c8,99.5,101.2j,145@1080.m,146.m,147.c9,235@1080.o,236.o,253.0,269.ca;5.e,18.1,37@1080.k,38.k,60.c7,66@1080.l,67.l,86.c8,119.5,121.2j,134@1080.m,135.m,147.c9,224@1080.o,225.o,253.0,269.ca;6.e,18.1,26@1080.k,27.k,55@1080.l,56.l,61.c7,87.c8,104.5,106.2j,124@1080.m,125.m,148.c9,214@1080.o,215.o,255.0,271.ca;5.e,14@1080.k,15.k,18.1,43@1080.l,44.l,60.c7,86.c8,95.5,97.2j,112@1080.m,113.m,147.c9,203@1080.o,204.o,253.0,269.ca;3@1080.k,4.k,5.e,18.1,33@1080.l,34.l,60.c7,86.c8,101@1080.m,102.m,115.5,117.2j,147.c9,192@1080.o,193.o,253.0,269.ca,358@1080.k,359.k;5.e,18.1,22@1080.l,23.l,60.c7,86.c8,90@1080.m,91.m,100.5,102.2j,147.c9,181@1080.o,182.o,253.0,269.ca,347@1080.k,348.k;6.e,12@1080.l,13.l,18.1,61.c7,80@1080.m,81.m,87.c8,120.5,122.2j,148.c9,170@1080.o,171.o,255.0,271.ca,337@1080.k,338.k
FI 0.0,5.1,88.5,90.2j,91.6,121.7,129.2e,139.3w,172.32,173.33,306.b,340.s,358.d,359.e,360.f,365.1o;0.0,5.1,107.5,109.2j,110.6,120.7,148.2e,158.3w,170.32,171.33,304.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,92.5,94.2j,95.6,120.7,133.2e,143.3w,169.32,170.33,303.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,84.5,86.2j,87.6,120.7,125.2e,135.3w,175.32,176.33,309.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,104.5,106.2j,107.6,121.7,145.2e,155.3w,174.32,175.33,308.b,340.s,358.d,359.e,360.f,365.1o;0.0,5.1,88.5,90.2j,91.6,120.7,129.2e,139.3w,172.32,173.33,306.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,108.5,110.2j,111.6,120.7,149.2e,159.3w,171.32,172.33,305.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,100.5,102.2j,103.6,120.7,141.2e,151.3w,170.32,171.33,304.b,339.s,357.d,358.e,359.f,364.1o;0.0,5.1,85.5,87.2j,88.6,121.7,126.2e,136.3w,176.32,177.33,310.b,340.s,358.d,359.e,360.f,365.1o
FJ 0.0,88.5,89.2i,91.6,250.3,257@1080.o,258.o,283.cb,305.cc,359.e,360.f;0.0,107.5,108.2i,110.6,245@1080.o,246.o,249.3,282.cb,293.cc,358.e,359.f;0.0,92.5,93.2i,95.6,235@1080.o,236.o,249.3,282.cb,358.e,359.f;0.0,84.5,85.2i,87.6,224@1080.o,225.o,249.3,282.cb,283.cd,358.e,360.f;0.0,104.5,105.2i,107.6,214@1080.o,215.o,250.3,283.cb,359.e,360.f;0.0,88.5,89.2i,91.6,203@1080.o,204.o,249.3,282.cb,358.e,359.f;0.0,108.5,109.2i,111.6,192@1080.o,193.o,249.3,282.cb,358.e,359.f;0.0,100.5,101.2i,103.6,181@1080.o,182.o,249.3,282.cb,358.e,359.f;0.0,85.5,86.2i,88.6,170@1080.o,171.o,250.3,283.cb,284.cd,359.e,361.f
FO 0.0,87.4,88.5,90.2j,91.6,114.3a,116.ce,129.2e,139.3w,140.8,156@720.3,358.d,359.e,360.f,365@720.1o;0.0,106.4,107.5,109.2j,110.6,113.3a,135.ce,148.2e,155@720.3,158.3w,159.8,357.d,358.e,359.f,364@720.1o;0.0,91.4,92.5,94.2j,95.6,113.3a,120.ce,133.2e,143.3w,144.8,155@720.3,357.d,358.e,359.f,364@720.1o;0.0,83.4,84.5,86.2j,87.6,112.ce,113.3a,125.2e,135.3w,136.8,155@720.3,357.d,358.e,359.f,364@720.1o;0.0,103.4,104.5,106.2j,107.6,114.3a,132.ce,145.2e,155.3w,156.8,358.d,359.e,360.f,365.1o;0.0,87.4,88.5,90.2j,91.6,113.3a,116.ce,129.2e,139.3w,140.8,155@720.3,357.d,358.e,359.f,364@720.1o;0.0,107.4,108.5,110.2j,111.6,113.3a,136.ce,149.2e,155@720.3,159.3w,160.8,357.d,358.e,359.f,364@720.1o;0.0,99.4,100.5,102.2j,103.6,113.3a,128.ce,141.2e,151.3w,152.8,155@720.3,357.d,358.e,359.f,364@720.1o;0.0,84.4,85.5,87.2j,88.6,113.ce,114.3a,126.2e,136.3w,137.8,156@720.3,358.d,359.e,360.f,365@720.1o
FR 0.0,91.6,121.7,128.3s,129.2e,140.8,195.4l,227.9,305.b,315.48,359.e;0.0,110.6,120.7,127.3s,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,304.b,314.48,358.e;0.0,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,304.b,314.48,358.e;0.0,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,304.b,314.48,358.e;0.0,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,305.b,315.48,359.e
FR-57 88.5,360.f;107.5,359.f;92.5,359.f;84.5,359.f;104.5,360.f;88.5,359.f;108.5,359.f;100.5,359.f;85.5,360.f
FR-67 88.5,360.f;107.5,359.f;92.5,359.f;84.5,359.f;104.5,360.f;88.5,359.f;108.5,359.f;100.5,359.f;85.5,360.f
FR-68 88.5,360.f;107.5,359.f;92.5,359.f;84.5,359.f;104.5,360.f;88.5,359.f;108.5,359.f;100.5,359.f;85.5,360.f
FR-YT 117.4m;116.4m;116.4m;116.4m;117.4m;116.4m;116.4m;116.4m;117.4m
FR-MQ 88.5,142.4m;107.5,141.4m;92.5,141.4m;84.5,141.4m;104.5,142.4m;88.5,141.4m;108.5,141.4m;!141.2e,100.5,141.4m;85.5,142.4m
FR-GP 88.5,147.4m;107.5,146.4m;92.5,146.4m;84.5,146.4m;104.5,147.4m;88.5,146.4m;108.5,146.4m;100.5,146.4m;85.5,147.4m
FR-GF 161.4m;160.4m;160.4m;160.4m;161.4m;160.4m;!160.8,160.4m;160.4m;161.4m
FR-RE 354.4m;353.4m;353.4m;353.4m;354.4m;353.4m;353.4m;353.4m;354.4m
FR-MF 147.4m;146.4m;146.4m;146.4m;147.4m;146.4m;146.4m;146.4m;147.4m
FR-BL 88.5,282.4m;107.5,281.4m;92.5,281.4m;84.5,281.4m;104.5,282.4m;88.5,281.4m;108.5,281.4m;100.5,281.4m;85.5,282.4m
GA 0.0,91.6,99@1080.l,100.l,107.cf,121.7,140.8,166@1080.m,167.m,227.9,228.s,229.s,305.b,359.e;0.0,87@1080.l,88.l,106.cf,110.6,120.7,155@1080.m,156.m,159.8,226.9,227.s,228.s,304.b,358.e;0.0,77@1080.l,78.l,95.6,106.cf,120.7,144.8,145@1080.m,146.m,226.9,227.s,228.s,304.b,358.e;0.0,66@1080.l,67.l,87.6,106.cf,120.7,134@1080.m,135.m,136.8,226.9,227.s,228.s,304.b,358.e;0.0,55@1080.l,56.l,107.cf,121.7,124@1080.m,125.m,156.8,227.9,228.s,229.s,305.b,359.e;0.0,43@1080.l,44.l,91.6,106.cf,112@1080.m,113.m,120.7,140.8,226.9,227.s,228.s,304.b,358.e;0.0,33@1080.l,34.l,101@1080.m,102.m,106.cf,111.6,120.7,160.8,226.9,227.s,228.s,304.b,358.e;0.0,22@1080.l,23.l,90@1080.m,91.m,103.6,106.cf,120.7,152.8,226.9,227.s,228.s,304.b,358.e;0.0,12@1080.l,13.l,80@1080.m,81.m,88.6,107.cf,121.7,137.8,227.9,228.s,229.s,305.b,359.e
GB 0.0,88.5,91.6,126.cg,147.ch,359.e,360.f;0.0,107.5,110.6,124.cg,145.ch,358.e,359.f;0.0,92.5,95.6,123.cg,144.ch,358.e,359.f,361.u;0.0,84.5,87.6,122.cg,150.ch,358.e,359.f,360.1g,361.u;0.0,2.1h,104.5,107.6,121.cg,149.ch,359.e,360.f;0.0,88.5,91.6,126.cg,147.ch,358.e,359.f;0.0,108.5,111.6,125.cg,146.ch,358.e,359.f;0.0,100.5,103.6,124.cg,145.ch,358.e,359.f;0.0,85.5,88.6,123.cg,151.ch,359.e,360.f,361.1g,362.u
GB-ALD 349.ci;348.ci;348.ci;348.ci;349.ci;348.ci;348.ci;348.ci;349.ci
GB-ENG 238.cj;236.cj;242.cj;241.cj;240.cj;238.cj;237.cj;236.cj;242.cj
GB-NIR 76.ck,77.cl,193.cm,238.cj;75.ck,192.cm,194.cn,236.cj;75.ck,192.cm,193.cn,242.cj;75.ck,192.cm,241.cj;76.ck,193.cm,240.cj;75.ck,77.cl,192.cm,238.cj;75.ck,76.cl,192.cm,237.cj;75.ck,192.cm,194.cn,236.cj;76.ck,193.cm,242.cj
GB-SCT !91.6,1.co,217.cj,334.cp,336.cq;!110.6,1.co,215.cj,333.cp,334.cq;!95.6,1.co,214.cj,333.cp;!87.6,1.co,3.cr,213.cj,333.cp;!2.1h,!107.6,1.co,2.cr,3.1h,219.cj,334.cp;!91.6,1.co,217.cj,333.cp;!111.6,1.co,216.cj,333.cp,335.cq;!103.6,1.co,215.cj,333.cp,334.cq;!88.6,1.co,214.cj,334.cp
GB-WLS 238.cj;236.cj;242.cj;241.cj;240.cj;238.cj;237.cj;236.cj;242.cj
GD 0.0,37.s,88.5,91.6,121.7,140.8,150.2f,217.3x,224.5i,225.ag,298.2a,359.e,360.f;0.0,37.s,107.5,110.6,120.7,159.8,169.2f,215.3x,222.5i,223.ag,297.2a,358.e,359.f;0.0,37.s,92.5,95.6,120.7,144.8,154.2f,214.3x,221.5i,222.ag,297.2a,358.e,359.f;0.0,37.s,84.5,87.6,120.7,136.8,146.2f,213.3x,220.5i,221.ag,297.2a,358.e,359.f;0.0,37.s,104.5,107.6,121.7,156.8,166.2f,219.3x,226.5i,227.ag,298.2a,359.e,360.f;0.0,37.s,88.5,91.6,120.7,140.8,150.2f,217.3x,224.5i,225.ag,297.2a,358.e,359.f;0.0,37.s,108.5,111.6,120.7,160.8,170.2f,216.3x,223.5i,224.ag,297.2a,358.e,359.f;0.0,37.s,100.5,103.6,120.7,152.8,162.2f,215.3x,222.5i,223.ag,297.2a,358.e,359.f;0.0,37.s,85.5,88.6,121.7,137.8,147.2f,214.3x,221.5i,222.ag,298.2a,359.e,360.f
GE 0.0,1.cs,6.3l,18.ct,62.1l,67.1k,99.cu,123.5,124.2i,125.2j,126.6,129.3s,132.cv,146.s,240.cw,287.cx,327.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,98.cu,107.5,108.2i,109.2j,110.6,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,98.cu,99.5,100.2i,101.2j,102.6,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,98.cu,119.5,120.2i,121.2j,122.6,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,62.1l,67.1k,99.cu,104.5,105.2i,106.2j,107.6,129.3s,132.cv,146.s,240.cw,287.cx,327.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,95.5,96.2i,97.2j,98.cu,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,98.cu,115.5,116.2i,117.2j,118.6,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,61.1l,66.1k,98.cu,100.5,101.2i,102.2j,103.6,128.3s,131.cv,145.s,239.cw,286.cx,326.cy;0.0,1.cs,6.3l,18.ct,62.1l,67.1k,99.cu,120.5,121.2i,122.2j,123.6,129.3s,132.cv,146.s,240.cw,287.cx,327.cy
GF 0.0,91.6,121.7,128.3s,129.2e,140.8,161.4m,195.4l,227.9,305.b,315.48,359.e;0.0,110.6,120.7,127.3s,148.2e,159.8,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,95.6,120.7,127.3s,133.2e,144.8,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,87.6,120.7,125.2e,127.3s,136.8,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,107.6,121.7,128.3s,145.2e,156.8,161.4m,195.4l,227.9,305.b,315.48,359.e;0.0,91.6,120.7,127.3s,129.2e,140.8,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,111.6,120.7,127.3s,149.2e,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,103.6,120.7,127.3s,141.2e,152.8,160.4m,194.4l,226.9,304.b,314.48,358.e;0.0,88.6,121.7,126.2e,128.3s,137.8,161.4m,195.4l,227.9,305.b,315.48,359.e
GG 0.0,88.5,91.6,126.cg,129.18,147.ch,359.e,360.f;0.0,107.5,110.6,124.cg,128.18,145.ch,358.e,359.f;0.0,92.5,95.6,123.cg,128.18,144.ch,358.e,359.f,361.u;0.0,84.5,87.6,122.cg,128.18,150.ch,358.e,359.f,360.1g,361.u;0.0,2.1h,104.5,107.6,121.cg,129.18,149.ch,359.e,360.f;0.0,88.5,91.6,126.cg,128.18,147.ch,358.e,359.f;0.0,108.5,111.6,125.cg,128.18,146.ch,358.e,359.f;0.0,100.5,103.6,124.cg,128.18,145.ch,358.e,359.f;0.0,85.5,88.6,123.cg,129.18,151.ch,359.e,360.f,361.1g,362.u
GH 0.0,6.3,65.s,88.5,91.6,99@1080.l,100.l,121.7,166@1080.m,167.m,168.38,216.cz,217.d0,264.d1,266.d2,340.d3,359.e,360.f;0.0,6.3,64.s,87@1080.l,88.l,89.3f,107.5,110.6,120.7,155@1080.m,156.m,215.cz,263.d1,264.d2,338.d3,358.e,359.f;0.0,6.3,64.s,77@1080.l,78.l,92.5,95.6,120.7,145@1080.m,146.m,215.cz,263.d1,337.d3,358.e,359.f,361.u;0.0,6.3,64.s,66.1e,67.l,84.5,87.6,120.7,122.bx,134@1080.m,135.m,136.38,215.cz,263.d1,336.d3,358.e,359.f,360.1g,361.u;0.0,2.1h,6.3,55@1080.l,56.l,57@1080.3f,58.3f,65.s,104.5,107.6,121.7,124@1080.m,125.m,216.cz,264.d1,335.d3,359.e,360.f;0.0,6.3,43@1080.l,44.l,64.s,88.5,91.6,112@1080.m,113.m,120.7,215.cz,217.d0,263.d1,340.d3,358.e,359.f;0.0,6.3,33@1080.l,34.l,64.s,101@1080.m,102.m,103@1080.38,104.38,108.5,111.6,120.7,215.cz,216.d0,263.d1,265.d2,339.d3,358.e,359.f;0.0,6.3,22@1080.l,23.l,64.s,90@1080.m,91.m,100.5,103.6,120.7,215.cz,263.d1,264.d2,338.d3,358.e,359.f;0.0,6.3,12@1080.l,13.l,65.s,67.1e,80@1080.m,81.m,85.5,88.6,121.7,123.bx,216.cz,264.d1,337.d3,359.e,360.f,361.1g,362.u
GI 0.0,70.d4,88.5,91.6,118.d5,121.2q,147.ch,168.93,238.d6,253.d7,359.e,360.f;0.0,68.d4,107.5,110.6,117.d5,120.2q,145.ch,166.93,236.d6,252.d7,358.e,359.f;0.0,67.d4,92.5,95.6,117.d5,120.2q,144.ch,165.93,242.d6,252.d7,358.e,359.f,361.u;0.0,66.d4,84.5,87.6,117.d5,122.2q,150.ch,164.93,241.d6,252.d7,358.e,359.f,360.1g,361.u;0.0,2.1h,72.d4,104.5,107.6,118.d5,121.2q,149.ch,170.93,240.d6,247.d8,253.d7,359.e,360.f;0.0,70.d4,88.5,91.6,117.d5,120.2q,147.ch,168.93,238.d6,252.d7,358.e,359.f;0.0,69.d4,108.5,111.6,117.d5,120.2q,146.ch,167.93,237.d6,252.d7,358.e,359.f;0.0,68.d4,100.5,103.6,117.d5,120.2q,145.ch,166.93,236.d6,252.d7,358.e,359.f;0.0,67.d4,85.5,88.6,118.d5,123.2q,151.ch,165.93,242.d6,253.d7,359.e,360.f,361.1g,362.u
GL 0.0,5.1,87.4,88.5,90.2j,91.6,116.d9,129.2e,139.3w,140.8,172.p,358.d,359.e,360.f;0.0,5.1,106.4,107.5,109.2j,110.6,135.d9,148.2e,158.3w,159.8,171.p,357.d,358.e,359.f;0.0,5.1,91.4,92.5,94.2j,95.6,120.d9,133.2e,143.3w,144.8,171.p,357.d,358.e,359.f;0.0,5.1,83.4,84.5,86.2j,87.6,112.d9,125.2e,135.3w,136.8,171.p,357.d,358.e,359.f;0.0,5.1,103.4,104.5,106.2j,107.6,132.d9,145.2e,155.3w,156.8,172.p,358.d,359.e,360.f;0.0,5.1,87.4,88.5,90.2j,91.6,116.d9,129.2e,139.3w,140.8,171.p,357.d,358.e,359.f;0.0,5.1,107.4,108.5,110.2j,111.6,136.d9,149.2e,159.3w,160.8,171.p,357.d,358.e,359.f;0.0,5.1,99.4,100.5,102.2j,103.6,128.d9,141.2e,151.3w,152.8,171.p,357.d,358.e,359.f;0.0,5.1,84.4,85.5,87.2j,88.6,113.d9,126.2e,136.3w,137.8,172.p,358.d,359.e,360.f
GM 0.0,48.s,88.5,91.6,92.da,99@1080.db,100.db,121.7,145.dc,166@1080.dd,167.dd,196@1080.44,197.44,203.an,227.9,257@1080.o,258.o,359.e;0.0,48.s,80@1080.da,81.da,87@1080.db,88.db,107.5,110.6,120.7,144.dc,155@1080.dd,156.dd,184@1080.44,185.44,202.an,226.9,245@1080.o,246.o,358.e;0.0,48.s,69@1080.da,70.da,77@1080.db,78.db,92.5,95.6,120.7,144.dc,145@1080.dd,146.dd,174@1080.44,175.44,202.an,226.9,235@1080.o,236.o,358.e;0.0,48.s,59@1080.da,60.da,66@1080.db,67.db,84.5,87.6,120.7,134@1080.dd,135.dd,144.dc,164@1080.44,165.44,202.an,224@1080.o,225.o,226.9,358.e;0.0,48.s,49.da,55@1080.db,56.db,104.5,107.6,121.7,124@1080.dd,125.dd,145.dc,153@1080.44,154.44,203.an,214@1080.o,215.o,227.9,359.e;0.0,36@1080.da,37.da,43@1080.db,44.db,48.s,88.5,91.6,112@1080.dd,113.dd,120.7,141@1080.44,142.44,144.dc,202.an,203@1080.o,204.o,226.9,358.e;0.0,25@1080.da,26.da,33@1080.db,34.db,48.s,101@1080.dd,102.dd,108.5,111.6,120.7,130@1080.44,131.44,144.dc,192@1080.o,193.o,202.an,226.9,358.e;0.0,15@1080.da,16.da,22@1080.db,23.db,48.s,90@1080.dd,91.dd,100.5,103.6,120.7,121.44,144.dc,181@1080.o,182.o,202.an,226.9,358.e;0.0,4@1080.da,5.da,12@1080.db,13.db,48.s,80@1080.dd,81.dd,85.5,88.6,109@1080.44,110.44,121.7,145.dc,170@1080.o,171.o,203.an,227.9,359.e,360.da
GN 0.0,91.6,93.2g,95@1080.90,96.90,99@1080.l,100.l,121.7,145.dc,166@1080.m,167.m,227.9,257@1080.o,258.o,275.s,359.e;0.0,84@1080.90,85.90,87@1080.l,88.l,92.2g,110.6,120.7,144.dc,155@1080.m,156.m,226.9,245@1080.o,246.o,274.s,358.e;0.0,73@1080.90,74.90,77@1080.l,78.l,92.2g,95.6,120.7,144.dc,145@1080.m,146.m,226.9,235@1080.o,236.o,274.s,358.e;0.0,63@1080.90,64.90,66@1080.l,67.l,87.6,92.2g,120.7,134@1080.m,135.m,144.dc,224@1080.o,225.o,226.9,274.s,358.e;0.0,52@1080.90,53.90,55@1080.l,56.l,93.2g,107.6,121.7,124@1080.m,125.m,145.dc,214@1080.o,215.o,227.9,275.s,359.e;0.0,40@1080.90,41.90,43@1080.l,44.l,91.6,92.2g,112@1080.m,113.m,120.7,144.dc,203@1080.o,204.o,226.9,274.s,358.e;0.0,29@1080.90,30.90,33@1080.l,34.l,92.2g,101@1080.m,102.m,111.6,120.7,144.dc,192@1080.o,193.o,226.9,274.s,358.e;0.0,19@1080.90,20.90,22@1080.l,23.l,90@1080.m,91.m,92.2g,103.6,120.7,144.dc,181@1080.o,182.o,226.9,274.s,358.e;0.0,8@1080.90,9.90,12@1080.l,13.l,80@1080.m,81.m,88.6,93.2g,121.7,145.dc,170@1080.o,171.o,227.9,275.s,359.e,363@1080.90,364.90
GP 0.0,88.5,91.6,121.7,128.3s,129.2e,140.8,147.4m,195.4l,227.9,305.b,315.48,359.e;0.0,107.5,110.6,120.7,127.3s,146.4m,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,92.5,95.6,120.7,127.3s,133.2e,144.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,84.5,87.6,120.7,125.2e,127.3s,136.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,104.5,107.6,121.7,128.3s,145.2e,147.4m,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,88.5,91.6,120.7,127.3s,129.2e,140.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,108.5,111.6,120.7,127.3s,146.4m,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,100.5,103.6,120.7,127.3s,141.2e,146.4m,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,85.5,88.6,121.7,126.2e,128.3s,137.8,147.4m,195.4l,227.9,305.b,315.48,359.e
GQ 0.0,88.5,121.7,150.2f,156.de,215.4t,227.3,285.s,342.c,343.df,359.e;0.0,107.5,120.7,155.de,169.2f,214.4t,215.dg,226.3,284.s,285.1e,341.c,358.e;0.0,92.5,120.7,154.2f,155.de,214.4t,226.3,284.s,341.c,358.e;0.0,84.5,120.7,146.2f,155.de,214.4t,226.3,227.95,284.s,341.c,358.e;0.0,104.5,121.7,156.de,166.2f,215.4t,227.3,285.s,342.c,359.e;0.0,88.5,120.7,150.2f,155.de,214.4t,226.3,284.s,341.c,358.e;0.0,108.5,120.7,155.de,170.2f,214.4t,226.3,284.s,341.c,342.df,358.e;0.0,100.5,120.7,155.de,162.2f,214.4t,215.dg,226.3,284.s,285.1e,341.c,358.e;0.0,85.5,121.7,147.2f,156.de,215.4t,227.3,228.95,285.s,342.c,359.e
GR 0.0,5.1,77.dh,84.a3,121.7,123.5,125.2j,126.6,174.3w,175.8,227.9,301.2g,359.e,360.f;0.0,5.1,61.dh,83.a3,107.5,109.2j,110.6,120.7,158.3w,159.8,226.9,300.2g,358.e,359.f;0.0,5.1,53.dh,83.a3,99.5,101.2j,102.6,120.7,150.3w,151.8,226.9,300.2g,358.e,359.f;0.0,5.1,73.dh,83.a3,119.5,120.7,121.2j,122.6,170.3w,171.8,226.9,300.2g,358.e,359.f;0.0,5.1,58.dh,84.a3,104.5,106.2j,107.6,121.7,155.3w,156.8,227.9,301.2g,359.e,360.f;0.0,5.1,49.dh,83.a3,95.5,97.2j,98.6,120.7,146.3w,147.8,226.9,300.2g,358.e,359.f;0.0,5.1,69.dh,83.a3,115.5,117.2j,118.6,120.7,166.3w,167.8,226.9,300.2g,358.e,359.f;0.0,5.1,54.dh,83.a3,100.5,102.2j,103.6,120.7,151.3w,152.8,226.9,300.2g,358.e,359.f;0.0,5.1,74.dh,84.a3,120.5,121.7,122.2j,123.6,171.3w,172.8,227.9,301.2g,359.e,360.f
GT 0.0,87.4,88.5,89.2i,121.7,181.1j,182.di,258.s,284.dj,293.an,305.b,358@720.d,359.e,365@720.1o;0.0,106.4,107.5,108.2i,120.7,177.di,180.1j,257.s,285.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,91.4,92.5,93.2i,120.7,179.1j,181.di,257.s,284.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,83.4,84.5,85.2i,120.7,181.di,182.1j,257.s,284.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,103.4,104.5,105.2i,121.7,181.1j,258.s,285.dj,293.an,305.b,358@720.d,359.e,365@720.1o;0.0,87.4,88.5,89.2i,120.7,180.1j,182.di,257.s,284.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,107.4,108.5,109.2i,120.7,180.1j,181.di,257.s,283.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,99.4,100.5,101.2i,120.7,177.di,180.1j,257.s,285.dj,292.an,304.b,357@720.d,358.e,364@720.1o;0.0,84.4,85.5,86.2i,121.7,182.di,183.1j,258.s,285.dj,293.an,305.b,358@720.d,359.e,365@720.1o
GT-1 ;;;;;;;;
GT-1-101 227.9;226.9;226.9;226.9;227.9;226.9;226.9;226.9;227.9
GT-1-102 329.dk;328.dk;328.dk;328.dk;329.dk;328.dk;328.dk;328.dk;329.dk
GT-1-103 78.dl;77.dl;77.dl;77.dl;78.dl;77.dl;77.dl;77.dl;78.dl
GT-1-104 78.dl;77.dl;77.dl;77.dl;78.dl;77.dl;77.dl;77.dl;78.dl
GT-1-105 117.dm;116.dm;116.dm;116.dm;117.dm;116.dm;116.dm;116.dm;117.dm
GT-1-106 123.dn;122.dn;122.dn;122.dn;123.dn;122.dn;122.dn;122.dn;123.dn
GT-1-107 46.do;65.do;50.do;42.do;62.do;46.do;66.do;58.do;43.do
GT-1-108 216.dp;215.dp;215.dp;215.dp;216.dp;215.dp;215.dp;215.dp;216.dp
GT-1-109 180.dq;179.dq;!179.1j,179.dq;179.dq;180.dq;179.dq;179.dq;179.dq;180.dq
GT-1-110 175.dr;174.dr;174.dr;174.dr;175.dr;174.dr;174.dr;174.dr;175.dr
GT-1-111 22.ds;22.ds;22.ds;22.ds;22.ds;22.ds;22.ds;22.ds;22.ds
GT-1-112 180.8r;179.8r;!179.1j,179.8r;179.8r;180.8r;179.8r;179.8r;179.8r;180.8r
GT-1-113 32.dt;32.dt;32.dt;32.dt;32.dt;32.dt;32.dt;32.dt;32.dt
GT-1-114 123.dn;122.dn;122.dn;122.dn;123.dn;122.dn;122.dn;122.dn;123.dn
GT-1-115 342.c;341.c;341.c;341.c;342.c;341.c;341.c;341.c;342.c
GT-1-116 84.dl;83.dl;83.dl;!83.4,83.dl;84.dl;83.dl;83.dl;83.dl;!84.4,84.dl
GT-1-117 272.du;271.du;271.du;271.du;272.du;271.du;271.du;271.du;272.du
GU 0.0,14.23,63.dv,147.26,170.27,185.s,203.18,245.7,287.28,306.1s,315.29,332.2a,343.dw,359.e;0.0,19.23,61.dv,145.26,169.27,184.s,201.18,243.7,285.28,305.1s,314.29,330.2a,341.dw,358.e;0.0,18.23,60.dv,144.26,169.27,183.1e,184.s,201.18,249.7,284.28,305.1s,314.29,329.2a,341.dw,358.e;0.0,17.23,59.dv,150.26,168.2b,169.27,184.s,185.1e,201.18,248.7,283.28,305.1s,314.29,328.2a,341.dw,357.1g,358.e,364.1h;0.0,16.23,65.dv,149.26,170.27,185.s,202.18,247.7,282.28,306.1s,314.2c,315.29,327.2a,342.dw,359.e;0.0,14.23,63.dv,147.26,169.27,184.s,201.18,245.7,280.28,305.1s,314.29,315.2c,325.2a,341.dw,358.e;0.0,20.23,62.dv,146.26,169.27,184.s,202.18,244.7,286.28,305.1s,314.29,331.2a,342.dw,358.e;0.0,19.23,61.dv,145.26,169.27,184.s,201.18,243.7,285.28,305.1s,314.29,330.2a,341.dw,358.e;0.0,18.23,60.dv,151.26,169.2b,170.27,185.s,186.1e,202.18,249.7,284.28,306.1s,315.29,329.2a,342.dw,358.1g,359.e,365.1h
GW 0.0,19.dx,67.1k,99@1080.l,100.l,121.7,166@1080.m,167.m,215.dy,267.s,318.dz,359.e;0.0,19.dx,66.1k,87@1080.l,88.l,120.7,155@1080.m,156.m,214.dy,266.s,317.dz,358.e;0.0,19.dx,66.1k,77@1080.l,78.l,120.7,145@1080.m,146.m,214.dy,266.s,317.dz,358.e;0.0,19.dx,66.1k,67.l,120.7,134@1080.m,135.m,214.dy,266.s,317.dz,358.e;0.0,19.dx,55@1080.l,56.l,67.1k,121.7,124@1080.m,125.m,215.dy,267.s,318.dz,359.e;0.0,19.dx,43@1080.l,44.l,66.1k,112@1080.m,113.m,120.7,214.dy,266.s,317.dz,358.e;0.0,19.dx,33@1080.l,34.l,66.1k,101@1080.m,102.m,120.7,214.dy,266.s,317.dz,358.e;0.0,19.dx,22@1080.l,23.l,66.1k,90@1080.m,91.m,120.7,214.dy,266.s,317.dz,358.e;0.0,12@1080.l,13.l,19.dx,67.1k,80@1080.m,81.m,121.7,215.dy,267.s,318.dz,359.e
GY 0.0,53.1n,84.e0,88.5,91.6,121.7,125.e1,146.s,166@1080.e2,167.e2,182.e3,213.3x,257@1080.e4,258.e4,304.e5,359.e,360.f;0.0,53.1n,107.5,110.6,120.7,124.e1,145.s,155@1080.e2,156.e2,187.e3,212.3x,245@1080.e4,246.e4,358.e,359.f;0.0,53.1n,92.5,95.6,120.7,124.e1,145.s,146.e2,186.e3,212.3x,235@1080.e4,236.e4,358.e,359.f;0.0,53.1n,84.5,87.6,120.7,124.e1,134@1080.e2,135.e2,145.s,185.e3,212.3x,224@1080.e4,225.e4,358.e,359.f;0.0,53.1n,104.5,107.6,121.7,124@1080.e2,125.e2,146.s,184.e3,213.3x,214@1080.e4,215.e4,359.e,360.f;0.0,53.1n,88.5,91.6,112@1080.e2,113.e2,120.7,124.e1,145.s,182.e3,203@1080.e4,204.e4,212.3x,358.e,359.f;0.0,53.1n,101@1080.e2,102.e2,108.5,111.6,120.7,124.e1,145.s,181.e3,192@1080.e4,193.e4,212.3x,358.e,359.f;0.0,53.1n,90@1080.e2,91.e2,100.5,103.6,120.7,124.e1,145.s,181@1080.e4,182.e4,187.e3,212.3x,358.e,359.f;0.0,53.1n,80@1080.e2,81.e2,85.5,88.6,121.7,125.e1,146.s,170@1080.e4,171.e4,186.e3,213.3x,359.e,360.f
HK 0.e6,40.e7,42.e8,43.e9,88.5,89.ea,91.6,94.eb,121.7,135.ec,161.ed,182.ee,261.ef,274.p,284.eg,359.e,360.eh;0.e6,28.e7,29.ei,30.e8,93.eb,107.5,108.ea,110.6,120.7,124.ec,150.ed,181.ee,273.p,279.ef,301.eg,358.e,359.eh;0.e6,47.e7,48.ei,49.e8,92.5,93.ea,95.ej,96.ek,120.7,144.el,169.ed,181.ee,268.ef,273.p,291.em,358.e,359.eh;0.e6,36.e7,38.e8,39.e9,84.5,85.ea,87.6,94.eb,120.7,132.ec,159.ed,181.ee,258.ef,273.p,280.eg,358.e,360.eh;0.e6,25.e7,26.ei,27.e8,94.eb,104.5,105.ea,107.6,121.7,122.ec,149.en,182.ee,275.eo,277.ef,299.eg,359.e,360.eh;0.e6,43.e7,44.ei,45.e8,88.5,89.ea,91.6,93.eb,120.7,140.el,166.ed,182.ep,266.eq,273.p,288.eg,358.e,359.eh;0.e6,34.ei,35.e8,36.e9,94.eb,108.5,109.ea,111.6,120.7,128.ec,155.ed,181.ee,255.ef,273.p,277.eg,358.e,359.eh;0.e6,22.e7,23.ei,24.e8,94.eb,100.5,101.ea,103.6,120.7,147.ec,174.ed,181.ee,273.p,274.ef,296.eg,358.e,359.eh;0.e6,41.e7,42.ei,43.e8,85.5,86.ea,88.6,95.ej,121.7,137.el,163.ed,182.ee,263.ef,274.p,285.eg,359.e,361.eh
HN 0.0,87.4,88.5,104.er,121.7,258.s,276.es,285.28,294.et,359.e;0.0,103.er,106.4,107.5,120.7,257.s,275.es,284.28,293.et,358.e;0.0,91.4,92.5,103.er,120.7,257.s,275.es,284.28,293.et,358.e;0.0,83.4,84.5,103.er,120.7,257.s,275.es,284.28,293.et,358.e;0.0,103.4,104.er,121.7,258.s,276.es,285.28,294.et,359.e;0.0,87.4,88.5,103.er,120.7,257.s,275.es,284.28,293.et,358.e;0.0,103.er,107.4,108.5,120.7,257.s,275.es,284.28,293.et,358.e;0.0,99.4,100.5,103.er,120.7,257.s,275.es,284.28,293.et,358.e;0.0,84.4,85.5,104.er,121.7,258.s,276.es,285.28,294.et,359.e
HR 0.0,5.1,90.2j,91.6,121.7,150.p,173.eu,217.ev,227.9,305.b,322.4p,359.e,360.f;0.0,5.1,109.2j,110.6,120.7,149.p,169.2f,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,94.2j,95.6,120.7,149.p,154.2f,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,86.2j,87.6,120.7,146.2f,149.p,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,106.2j,107.6,121.7,150.p,166.2f,173.eu,217.ev,227.9,305.b,322.4p,359.e,360.f;0.0,5.1,90.2j,91.6,120.7,149.p,150.2f,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,110.2j,111.6,120.7,149.p,170.2f,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,102.2j,103.6,120.7,149.p,162.2f,172.eu,216.ev,226.9,304.b,321.4p,358.e,359.f;0.0,5.1,87.2j,88.6,121.7,147.2f,150.p,173.eu,217.ev,227.9,305.b,322.4p,359.e,360.f
HR-17 ;;;;;;;;
HR-19 ;;;;;;;;
HT 0.s,1.ew,42@840.ex,43.ey,88.5,90.2j,121.7,129.2e,138.ez,150.2f,227.9,290.f0,305.b,306.1s,322.f1,359.e;0.s,1.ew,61@840.ex,62.ey,107.5,109.2j,120.7,137.ez,148.2e,169.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,46@840.ex,47.ey,92.5,94.2j,120.7,133.2e,137.ez,154.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,38@840.ex,39.ey,84.5,86.2j,120.7,125.2e,137.ez,146.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,58@840.ex,59.ey,104.5,106.2j,121.7,138.ez,145.2e,166.2f,227.9,290.f0,305.b,306.1s,322.f1,359.e;0.s,1.ew,42@840.ex,43.ey,88.5,90.2j,120.7,129.2e,137.ez,150.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,62@840.ex,63.ey,108.5,110.2j,120.7,137.ez,149.2e,170.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,54@840.ex,55.ey,100.5,102.2j,120.7,137.ez,141.2e,162.2f,226.9,289.f0,304.b,305.1s,321.f1,358.e;0.s,1.ew,39@840.ex,40.ey,85.5,87.2j,121.7,126.2e,138.ez,147.2f,227.9,290.f0,305.b,306.1s,322.f1,359.e
HU 0.0,74.p,88.5,90.2j,91.6,121.7,139.3w,140.8,232.f2,296.p,305.b,359.e,360.f;0.0,73.p,107.5,109.2j,110.6,120.7,158.3w,159.8,231.f2,295.p,304.b,358.e,359.f;0.0,73.p,92.5,94.2j,95.6,120.7,143.3w,144.8,231.f2,295.p,304.b,358.e,359.f;0.0,73.p,84.5,86.2j,87.6,120.7,135.3w,136.8,231.f2,295.p,304.b,358.e,359.f;0.0,74.p,104.5,106.2j,107.6,121.7,155.3w,156.8,232.f2,296.p,305.b,359.e,360.f;0.0,73.p,88.5,90.2j,91.6,120.7,139.3w,140.8,231.f2,295.p,304.b,358.e,359.f;0.0,73.p,108.5,110.2j,111.6,120.7,159.3w,160.8,231.f2,295.p,304.b,358.e,359.f;0.0,73.p,100.5,102.2j,103.6,120.7,151.3w,152.8,231.f2,295.p,304.b,358.e,359.f;0.0,74.p,85.5,87.2j,88.6,121.7,136.3w,137.8,232.f2,296.p,305.b,359.e,360.f
IC 0.0,5.1,87.4,88.5,121.7,150.bl,227.9,285.b5,305.b,340.b6,342.c,359.e;0.0,5.1,106.4,107.5,120.7,149.bl,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,91.4,92.5,120.7,149.bl,226.9,284.b5,304.b,305.b8,339.b6,341.c,358.e;0.0,5.1,83.4,84.5,120.7,149.bl,150.bm,226.9,227.bb,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,103.4,104.5,121.7,150.bl,227.9,285.b5,305.b,340.b6,342.c,359.e;0.0,5.1,87.4,88.5,120.7,149.bl,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,107.4,108.5,120.7,149.bl,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,99.4,100.5,120.7,149.bl,226.9,284.b5,304.b,339.b6,341.c,358.e;0.0,5.1,84.4,85.5,121.7,150.bl,151.bm,227.9,228.bb,285.b5,305.b,340.b6,342.c,359.e
IC-EH 267.bn;266.bn;266.bn;266.bn;267.bn;266.bn;266.bn;266.bn;267.bn
IC-FU 261.bo;260.bo;260.bo;260.bo;261.bo;260.bo;260.bo;260.bo;261.bo
IC-GC 251.bp;250.bp;250.bp;250.bp;251.bp;250.bp;250.bp;250.bp;251.bp
IC-LG 278.bq;277.bq;277.bq;277.bq;278.bq;277.bq;277.bq;277.bq;278.bq
IC-LP 217.br;216.br;216.br;216.br;217.br;216.br;216.br;216.br;217.br
IC-LA 258.bs;257.bs;257.bs;257.bs;258.bs;257.bs;257.bs;257.bs;258.bs
IC-TE 250.bt;249.bt;249.bt;249.bt;250.bt;249.bt;249.bt;249.bt;250.bt
ID 0.0,37@1080.j,38.j,40.4r,70.f3,88.5,99@1080.l,100.l,101.l,121.7,129.2e,143.f4,152.f5,166@1080.m,167.m,187@1080.n,188.n,229.s,257@1080.o,258.o,359.e;0.0,25@1080.j,26.j,28.4r,87.f3,88.l,89.l,107.5,120.7,131.f4,148.2e,151.f5,155@1080.m,156.m,175@1080.n,176.n,228.s,247.o,358.e;0.0,14@1080.j,15.j,47.4r,77.f3,78.l,79.l,92.5,120.7,133.2e,145@1080.m,146.m,150.f4,151.f5,165@1080.n,166.n,228.s,235@1080.o,236.o,358.e;0.0,3@1080.j,4.j,36.4r,66.f3,67.l,68.l,84.5,120.7,125.2e,134@1080.m,135.m,139.f4,151.f5,155@1080.n,156.n,224@1080.o,225.o,228.s,357@1080.j,358.j;0.0,25.4r,55@1080.l,56.l,57.l,104.5,121.7,124@1080.m,125.m,144@1080.n,145.n,152.f5,214@1080.o,215.o,229.s,347@1080.j,348.j,359.e;0.0,43.4r,44.l,45.l,88.5,112@1080.m,113.m,120.7,129.2e,132@1080.n,133.n,151.f5,203@1080.o,204.o,228.s,335@1080.j,336.j,358.e;0.0,33.4r,34.l,35.l,101@1080.m,102.m,108.5,120.7,121@1080.n,122.n,149.2e,151.f5,192@1080.o,193.o,228.s,325@1080.j,326.j,358.e;0.0,22.4r,23.l,24.l,90@1080.m,91.m,100.5,111@1080.n,112.n,120.7,141.2e,151.f5,181@1080.o,182.o,228.s,314@1080.j,315.j,358.e;0.0,12@1080.l,13.l,14.l,41.4r,80@1080.m,81.m,85.5,100@1080.n,101.n,121.7,126.2e,152.f5,170@1080.o,171.o,229.s,304@1080.j,305.j,359.e
IE 0.0,35.f6,76.f7,77.f8,88.5,91.6,126.f9,154.fa,217.fb,301.fc,359.e,360.fd;0.0,33.f6,75.f7,107.5,110.6,124.f9,152.fa,215.fb,299.fc,358.e,359.fd;0.0,32.f6,75.f7,92.5,95.6,123.f9,151.fa,214.fb,298.fc,358.e,359.fd,361.fe;0.0,31.f6,75.f7,84.5,87.6,122.f9,157.fa,213.fb,297.fc,358.e,359.fd,360.fe;0.0,37.f6,76.f7,104.5,107.6,121.f9,156.fa,219.fb,303.fc,359.e,360.fd;0.0,35.f6,75.f7,77.f8,88.5,91.6,126.f9,154.fa,217.fb,301.fc,358.e,359.fd;0.0,31.f6,75.f7,76.f8,108.5,111.6,125.f9,153.fa,216.fb,300.fc,358.e,359.fd;0.0,33.f6,75.f7,100.5,103.6,124.f9,152.fa,215.fb,299.fc,358.e,359.fd;0.0,32.f6,76.f7,85.5,88.6,123.f9,158.fa,214.fb,298.fc,359.e,360.fd,361.fe
IL 112@1080.ff,113.ff,118@1080.fg,119.fg,133@1080.fh,134.fh,162@1080.fi,163.fi,275@1080.fj,276.fj,277.fk,284@1080.fl,285.fl,289@1080.fm,290.fm,296@1080.fn,297.fn;101@1080.ff,102.ff,107@1080.fg,108.fg,119@1080.fh,120.fh,151@1080.fi,152.fi,264@1080.fj,265.fj,266.fk,273@1080.fl,274.fl,278@1080.fm,279.fm,285@1080.fn,286.fn;90@1080.ff,91.ff,96@1080.fg,97.fg,110@1080.fh,111.fh,140@1080.fi,141.fi,253@1080.fj,254.fj,255.fk,262@1080.fl,263.fl,267@1080.fm,268.fm,274@1080.fn,275.fn;110@1080.ff,111.ff,116@1080.fg,117.fg,130@1080.fh,131.fh,160@1080.fi,161.fi,273@1080.fj,274.fj,275.fk,282@1080.fl,283.fl,287@1080.fm,288.fm,294@1080.fn,295.fn;100@1080.ff,101.ff,106@1080.fg,107.fg,121@1080.fh,122.fh,150@1080.fi,151.fi,263@1080.fj,264.fj,265.fk,272@1080.fl,273.fl,277@1080.fm,278.fm,284@1080.fn,285.fn;88@1080.ff,89.ff,94@1080.fg,95.fg,107@1080.fh,108.fh,138@1080.fi,139.fi,251@1080.fj,252.fj,253.fk,260@1080.fl,261.fl,265@1080.fm,266.fm,272@1080.fn,273.fn;106@1080.ff,107.ff,112@1080.fg,113.fg,126@1080.fh,127.fh,156@1080.fi,157.fi,269@1080.fj,270.fj,271.fk,278@1080.fl,279.fl,283@1080.fm,284.fm,290@1080.fn,291.fn;96@1080.ff,97.ff,102@1080.fg,103.fg,117@1080.fh,118.fh,146@1080.fi,147.fi,259@1080.fj,260.fj,261.fk,268@1080.fl,269.fl,273@1080.fm,274.fm,280@1080.fn,281.fn;85@1080.ff,86.ff,91@1080.fg,92.fg,104@1080.fh,105.fh,135@1080.fi,136.fi,248@1080.fj,249.fj,250.fk,257@1080.fl,258.fl,262@1080.fm,263.fm,269@1080.fn,270.fn
IM 0.0,88.5,91.6,126.cg,147.ch,165.fo,186.fp,359.e,360.f;0.0,107.5,110.6,124.cg,145.ch,163.fo,185.fp,358.e,359.f;0.0,92.5,95.6,123.cg,144.ch,162.fo,185.fp,358.e,359.f,361.u;0.0,84.5,87.6,122.cg,150.ch,161.fo,185.fp,358.e,359.f,360.1g,361.u;0.0,2.1h,104.5,107.6,121.cg,149.ch,160.fo,186.fp,359.e,360.f;0.0,88.5,91.6,126.cg,147.ch,158.fo,185.fp,358.e,359.f;0.0,108.5,111.6,125.cg,146.ch,164.fo,185.fp,358.e,359.f;0.0,100.5,103.6,124.cg,145.ch,163.fo,185.fp,358.e,359.f;0.0,85.5,88.6,123.cg,151.ch,162.fo,186.fp,359.e,360.f,361.1g,362.u
IN 25.1n,88.5,104.fq,227.s,275.fr,359.e;25.1n,103.fq,107.5,226.s,274.fr,358.e;25.1n,92.5,103.fq,226.s,274.fr,358.e;25.1n,84.5,103.fq,226.s,274.fr,358.e;25.1n,104.fq,227.s,275.fr,359.e;25.1n,88.5,103.fq,226.s,274.fr,358.e;25.1n,103.fq,108.5,226.s,274.fr,358.e;25.1n,100.5,103.fq,226.s,274.fr,358.e;25.1n,85.5,104.fq,227.s,275.fr,359.e
IN-AN ;;;;;;;;
IN-AP 305.fs;304.fs;304.fs;304.fs;305.fs;304.fs;304.fs;304.fs;305.fs
IN-AR 0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft;0.0,50.ft
IN-AS 22.fu,121.7;22.fu,120.7;22.fu,120.7;22.fu,120.7;22.fu,121.7;22.fu,120.7;22.fu,120.7;22.fu,120.7;22.fu,121.7
IN-BR 81.fv,121.7;80.fv,120.7;80.fv,120.7;80.fv,120.7;81.fv,121.7;80.fv,120.7;80.fv,120.7;80.fv,120.7;81.fv,121.7
IN-CH 4.fw;4.fw;4.fw;4.fw;4.fw;4.fw;4.fw;4.fw;4.fw
IN-CT 305.fs,352.fx;304.fs,351.fx;304.fs,351.fx;304.fs,351.fx;305.fs,352.fx;304.fs,351.fx;304.fs,351.fx;304.fs,351.fx;305.fs,352.fx
IN-DD 353.fy;352.fy;352.fy;352.fy;353.fy;352.fy;352.fy;352.fy;353.fy
IN-DL ;;;;;;;;
IN-DN ;;;;;;;;
IN-GA 337.fz,353.fy;336.fz,352.fy;336.fz,352.fy;336.fz,352.fy;337.fz,353.fy;336.fz,352.fy;336.fz,352.fy;336.fz,352.fy;337.fz,353.fy
IN-GJ 121.g0,304.g1;120.g0,303.g1;120.g0,303.g1;120.g0,303.g1;121.g0,304.g1;120.g0,303.g1;120.g0,303.g1;120.g0,303.g1;121.g0,304.g1
IN-HP 24.ft,105.g2,129.g3,280.g4;24.ft,104.g2,128.g3,279.g4;24.ft,104.g2,128.g3,279.g4;24.ft,104.g2,128.g3,279.g4;24.ft,105.g2,129.g3,280.g4;24.ft,104.g2,128.g3,279.g4;24.ft,104.g2,128.g3,279.g4;24.ft,104.g2,128.g3,279.g4;24.ft,105.g2,129.g3,280.g4
IN-HR 4.fw,212.g5,265.g6,305.fs,360.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,212.g5,265.g6,305.fs,360.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,211.g5,264.g6,304.fs,359.g7;4.fw,212.g5,265.g6,305.fs,360.g7
IN-JK 194.g8;193.g8;193.g8;193.g8;194.g8;193.g8;193.g8;193.g8;194.g8
IN-KA 120.g9,260.ga,305.gb,312.gc;119.g9,259.ga,304.gb,311.gc;119.g9,259.ga,304.gb,311.gc;119.g9,259.ga,304.gb,311.gc;120.g9,260.ga,305.gb,312.gc;119.g9,259.ga,304.gb,311.gc;119.g9,259.ga,304.gb,311.gc;119.g9,259.ga,304.gb,311.gc;120.g9,260.ga,305.gb,312.gc
IN-KL 111.gd,121.7,305.ge;110.gd,120.7,304.ge;110.gd,120.7,304.ge;110.gd,120.7,304.ge;111.gd,121.7,305.ge;110.gd,120.7,304.ge;110.gd,120.7,304.ge;110.gd,120.7,304.ge;111.gd,121.7,305.ge
IN-LD ;;;;;;;;
IN-MH 121.gf;120.gf;120.gf;120.gf;121.gf;120.gf;120.gf;120.gf;121.gf
IN-ML 166.gg,194.g8,327.gh;165.gg,193.g8,326.gh;165.gg,193.g8,326.gh;165.gg,193.g8,326.gh;166.gg,194.g8,327.gh;165.gg,193.g8,326.gh;165.gg,193.g8,326.gh;165.gg,193.g8,326.gh;166.gg,194.g8,327.gh
IN-MN 225.gi;224.gi;224.gi;224.gi;225.gi;224.gi;224.gi;224.gi;225.gi
IN-MP ;;;;;;;;
IN-MZ 181.gj,187.gk;180.gj,186.gk;180.gj,186.gk;180.gj,186.gk;181.gj,187.gk;180.gj,186.gk;180.gj,186.gk;180.gj,186.gk;181.gj,187.gk
IN-NL 335.gl;334.gl;334.gl;334.gl;335.gl;334.gl;334.gl;334.gl;335.gl
IN-OR 91.gm;90.gm;90.gm;90.gm;91.gm;90.gm;90.gm;90.gm;91.gm
IN-PB 82.gn;81.gn;81.gn;81.gn;82.gn;81.gn;81.gn;81.gn;82.gn
IN-PY 228.go;227.go;227.go;227.go;228.go;227.go;227.go;227.go;228.go
IN-RJ 128.gp,129.g3;127.gp,128.g3;127.gp,128.g3;127.gp,128.g3;128.gp,129.g3;127.gp,128.g3;127.gp,128.g3;127.gp,128.g3;128.gp,129.g3
IN-SK 136.ft;135.ft;135.ft;135.ft;136.ft;135.ft;135.ft;135.ft;136.ft
IN-TG 153.gq;152.gq;152.gq;152.gq;153.gq;152.gq;152.gq;152.gq;153.gq
IN-TN 121.7;120.7;120.7;120.7;121.7;120.7;120.7;120.7;121.7
IN-TR 105.g2;104.g2;104.g2;104.g2;105.g2;104.g2;104.g2;104.g2;105.g2
IN-UP ;;;;;;;;
IN-UT ;;;;;;;;
IN-WB 11.gr,22.fu,105.gs,121.7,128.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,105.gs,121.7,128.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,104.gs,120.7,127.gp;11.gr,22.fu,105.gs,121.7,128.gp
IR 23@1080.gt,24.gt,37@1080.gu,38.gu,41.gv,54@1080.gw,55.gw,78.gx,79.gy,80.gy,81.gy,82.gy,89@1080.gz,90.gz,91.h0,99@1080.l,100.l,101.h1,123@1080.h2,124.h2,154.h3,155.h4,166@1080.m,167.m,174@1080.h5,175.h5,195@1080.h6,196.h6,197.h7,235@1080.h8,236.h8,243@1080.h9,244.h9,245@1080.ha,246.ha,253@1080.hb,254.hb,262@1080.hc,263.hc,338@1080.hd,339.hd;11@1080.gt,12.gt,25@1080.gu,26.gu,40.gv,43@1080.gw,44.gw,77.gx,78@1080.gz,79.gz,80.gy,81.gy,82.gy,87@1080.l,88.l,89.h1,90.he,91.h0,111@1080.h2,112.h2,154.h3,155.h4,156.m,163@1080.h5,164.h5,183@1080.h6,184.h6,185.h7,224@1080.h8,225.h8,232@1080.h9,233.h9,234@1080.ha,235.ha,241@1080.hb,242.hb,250@1080.hc,251.hc,326@1080.hd,327.hd;0@1080.gt,1.gt,14@1080.gu,15.gu,32@1080.gw,33.gw,41.gv,67@1080.gz,68.gz,77@1080.l,78.l,79.h1,80.gy,81.gy,82.gy,90.he,91.h0,101@1080.h2,102.h2,145@1080.m,146.m,153@1080.h5,154.h5,155.h4,173@1080.h6,174.h6,175.h7,213@1080.h8,214.h8,221@1080.h9,222.h9,223@1080.ha,224.ha,231@1080.hb,232.hb,240@1080.hc,241.hc,315@1080.hd,316.hd,354@1080.gt,355.gt;3@1080.gu,4.gu,21@1080.gw,22.gw,41.gv,57@1080.gz,58.gz,66@1080.l,67.l,68.h1,78.gx,79.gy,80.gy,81.gy,82.gy,90.he,91.h2,134@1080.m,135.m,142@1080.h5,143.h5,154.h3,155.h4,163@1080.h6,164.h6,165.h7,203@1080.h8,204.h8,211@1080.h9,212.h9,213@1080.ha,214.ha,220@1080.hb,221.hb,229@1080.hc,230.hc,304@1080.hd,305.hd,343@1080.gt,344.gt,357@1080.gu,358.gu;10@1080.gw,11.gw,41.gv,46@1080.gz,47.gz,55@1080.l,56.l,57.h1,78.gx,79.gy,80.h2,81.gy,82.gy,90.he,91.h0,124@1080.m,125.m,132@1080.h5,133.h5,152@1080.h6,153.h6,154.h7,155.h4,193@1080.h8,194.h8,201@1080.h9,202.h9,203@1080.ha,204.ha,210@1080.hb,211.hb,219@1080.hc,220.hc,293@1080.hd,294.hd,333@1080.gt,334.gt,347@1080.gu,348.gu,364@1080.gw,365.gw;34@1080.gz,35.gz,40.gv,43@1080.l,44.l,45.h1,67@1080.h2,68.h2,77.gx,78.gy,79.gy,80.gy,81.gy,89.he,90.h0,112@1080.m,113.m,120@1080.h5,121.h5,140@1080.h6,141.h6,142.h7,153.h3,154.h4,181@1080.h8,182.h8,189@1080.h9,190.h9,191@1080.ha,192.ha,199@1080.hb,200.hb,208@1080.hc,209.hc,282@1080.hd,283.hd,321@1080.gt,322.gt,335@1080.gu,336.gu,353@1080.gw,354.gw;23@1080.gz,24.gz,33@1080.l,34.l,35.h1,40.gv,57@1080.h2,58.h2,77.gx,79.gy,80.gy,81.gy,82.gy,90.he,91.h0,101@1080.m,102.m,109@1080.h5,110.h5,129@1080.h6,130.h6,131.h7,154.h3,155.h4,170@1080.h8,171.h8,178@1080.h9,179.h9,180@1080.ha,181.ha,188@1080.hb,189.hb,197@1080.hc,198.hc,272@1080.hd,273.hd,311@1080.gt,312.gt,325@1080.gu,326.gu,342@1080.gw,343.gw;13@1080.gz,14.gz,22@1080.l,23.l,24.h1,41.gv,46@1080.h2,47.h2,78.gx,79.gy,80.gy,81.gy,82.gy,90.he,91.m,98@1080.h5,99.h5,119@1080.h6,120.h6,121.h7,154.h3,155.h4,159@1080.h8,160.h8,167@1080.h9,168.h9,169@1080.ha,170.ha,177@1080.hb,178.hb,186@1080.hc,187.hc,261@1080.hd,262.hd,300@1080.gt,301.gt,314@1080.gu,315.gu,332@1080.gw,333.gw;2@1080.gz,3.gz,12@1080.l,13.l,14.h1,36@1080.h2,37.h2,41.gv,78.gx,79.gy,80.gy,81.m,82.gy,88@1080.h5,89.h5,90.he,91.h0,108@1080.h6,109.h6,110.h7,148@1080.h8,149.h8,154.h3,155.h4,156@1080.h9,157.h9,158@1080.ha,159.ha,166@1080.hb,167.hb,175@1080.hc,176.hc,250@1080.hd,251.hd,290@1080.gt,291.gt,304@1080.gu,305.gu,321@1080.gw,322.gw,357@1080.gz,358.gz
IS 0.0,87.4,88.5,90.2j,91.6,108.hf,121.7,129.2e,139.3w,140.8,168.hg,217.hh,358@780.d,359.e,360.f,365@780.1o;0.0,106.4,107.5,109.2j,110.6,113.hf,120.7,148.2e,158.3w,159.8,167.hg,215.hh,357@780.d,358.e,359.f,364@780.1o;0.0,91.4,92.5,94.2j,95.6,112.hf,120.7,133.2e,143.3w,144.8,167.hg,214.hh,357@780.d,358.e,359.f,364@780.1o;0.0,83.4,84.5,86.2j,87.6,111.hf,120.7,125.2e,135.3w,136.8,167.hg,213.hh,357@780.d,358.e,359.f,364@780.1o;0.0,103.4,104.5,106.2j,107.6,110.hf,121.7,145.2e,155.3w,156.8,168.hg,219.hh,358.d,359.e,360.f,365.1o;0.0,87.4,88.5,90.2j,91.6,108.hf,120.7,129.2e,139.3w,140.8,167.hg,217.hh,357@780.d,358.e,359.f,364@780.1o;0.0,107.4,108.5,110.2j,111.6,120.7,149.2e,159.3w,160.8,167.hg,216.hh,357@780.d,358.e,359.f,364@780.1o;0.0,99.4,100.5,102.2j,103.6,113.hf,120.7,141.2e,151.3w,152.8,167.hg,215.hh,357@780.d,358.e,359.f,364@780.1o;0.0,84.4,85.5,87.2j,88.6,112.hf,121.7,126.2e,136.3w,137.8,168.hg,214.hh,358@780.d,359.e,360.f,365@780.1o
IT 0.0,5.1,90.2j,91.6,115.hi,121.7,153.1n,227.9,305.b,342.c,359.e,360.f;0.0,5.1,109.2j,110.6,114.hi,120.7,152.1n,226.9,304.b,341.c,358.e,359.f;0.0,5.1,94.2j,95.6,114.hi,120.7,152.1n,226.9,276.hj,304.b,341.c,358.e,359.f;0.0,5.1,86.2j,87.6,114.hi,120.7,152.1n,226.9,276.hj,304.b,341.c,358.e,359.f;0.0,5.1,106.2j,107.6,115.hi,121.7,153.1n,227.9,277.hj,305.b,342.c,359.e,360.f;0.0,5.1,90.2j,91.6,114.hi,120.7,152.1n,226.9,276.hj,304.b,341.c,358.e,359.f;0.0,5.1,110.2j,111.6,114.hi,120.7,152.1n,226.9,276.hj,304.b,341.c,358.e,359.f;0.0,5.1,102.2j,103.6,114.hi,120.7,152.1n,226.9,276.hj,304.b,341.c,358.e,359.f;0.0,5.1,87.2j,88.6,115.hi,121.7,153.1n,227.9,277.hj,305.b,342.c,359.e,360.f
IT-21 ;;;;;;;;
IT-21-TO 175.hk;174.hk;174.hk;174.hk;175.hk;174.hk;174.hk;174.hk;175.hk
IT-25 ;;;;;;;;
IT-25-MI 341.hl;340.hl;340.hl;340.hl;341.hl;340.hl;340.hl;340.hl;341.hl
IT-32 140.8;159.8;144.8;136.8;156.8;140.8;160.8;;137.8
IT-52 ;;;;;;;;
IT-52-FI ;;;;;;;;
IT-62 ;;;;;;;;
IT-62-RM 180.8r;179.8r;179.8r;179.8r;180.8r;179.8r;179.8r;179.8r;180.8r
IT-82 ;;;;;;;;
IT-82-PA 196.hm;195.hm;195.hm;195.hm;196.hm;195.hm;195.hm;195.hm;196.hm
JE 0.0,88.5,91.6,126.cg,129.18,147.ch,238.hn,359.e,360.f;0.0,107.5,110.6,124.cg,128.18,145.ch,236.hn,358.e,359.f;0.0,92.5,95.6,123.cg,128.18,144.ch,242.hn,358.e,359.f,361.u;0.0,84.5,87.6,122.cg,128.18,150.ch,241.hn,358.e,359.f,360.1g,361.u;0.0,2.1h,104.5,107.6,121.cg,129.18,149.ch,240.hn,359.e,360.f;0.0,88.5,91.6,126.cg,128.18,147.ch,238.hn,358.e,359.f;0.0,108.5,111.6,125.cg,128.18,146.ch,237.hn,358.e,359.f;0.0,100.5,103.6,124.cg,128.18,145.ch,236.hn,358.e,359.f;0.0,85.5,88.6,123.cg,129.18,151.ch,242.hn,359.e,360.f,361.1g,362.u
JM 0.0,44.9y,88.5,91.6,143.7,213.3x,218.s,294.3v,359.e,360.f;0.0,63.9y,107.5,110.6,142.7,212.3x,217.s,292.3v,358.e,359.f;0.0,48.9y,92.5,95.6,144.7,212.3x,217.s,291.3v,358.e,359.f;0.0,40.9y,84.5,87.6,143.7,213.3x,217.s,290.3v,358.e,359.f,360.u;0.0,60.9y,104.5,107.6,143.7,213.3x,218.s,219.1e,289.3v,359.e,360.f;0.0,44.9y,88.5,91.6,142.7,212.3x,217.s,287.3v,358.e,359.f;0.0,64.9y,108.5,111.6,142.7,212.3x,217.s,293.3v,358.e,359.f;0.0,56.9y,100.5,103.6,142.7,212.3x,217.s,292.3v,358.e,359.f;0.0,41.9y,85.5,88.6,144.7,214.3x,218.s,291.3v,359.e,360.f,361.u
JP 0.0,1.co,2.ho,7.hp,41.hq,42.hr,53.hs,79.ht,119.hu,123.3,124.hv,125.9h,126.hw,196.hx,223.hy,224.hz,259.i0,265.i1,266.i2,287.i3,307.i4,308.i5,327.i6,365.1o;0.0,1.co,2.ho,12.hp,41.hq,53.hs,54.i7,78.ht,118.hu,122.3,123.hv,124.9h,125.i8,201.hx,222.hy,257.i0,265.i1,285.i3,306.i4,326.i6,327.i9,364.1o;0.0,1.co,2.ho,11.hp,41.hq,53.hs,78.ht,118.hu,122.3,123.hv,124.9h,125.95,200.hx,222.hy,263.i0,264.ia,265.i1,284.i3,306.i4,326.i6,364.1o;0.0,1.co,2.ho,10.hp,41.hq,53.hs,79.ht,80.ib,118.hu,122.3,123.hv,124.9h,199.hx,222.hy,262.i0,265.i1,283.i3,306.i4,326.i6,364.1o;0.0,1.co,2.ho,9.hp,41.hq,53.hs,79.ht,119.hu,123.3,124.hv,125.9h,198.hx,223.hy,261.i0,265.i1,282.i3,307.i4,327.i6,365.1o;0.0,1.co,2.ho,7.hp,41.hq,42.hr,53.hs,78.ht,118.hu,119.ic,122.3,123.hv,124.9h,196.hx,222.hy,259.i0,265.i1,266.i2,280.i3,306.i4,326.i6,364.1o;0.0,1.co,2.ho,13.hp,41.hq,53.hs,78.ht,118.hu,122.3,123.hv,124.9h,125.hw,195.hx,222.hy,223.hz,258.i0,265.i1,286.i3,306.i4,307.i5,326.i6,364.1o;0.0,1.co,2.ho,12.hp,41.hq,53.hs,54.i7,79.ht,118.hu,122.3,123.hv,124.9h,125.i8,201.hx,222.hy,257.i0,265.i1,285.i3,306.i4,326.i6,327.i9,364.1o;0.0,1.co,2.ho,11.hp,41.hq,53.hs,79.ht,119.hu,123.3,124.hv,125.9h,200.hx,223.hy,263.i0,265.i1,284.i3,307.i4,327.i6,365.1o
KE 0.0,88.5,90.2j,91.6,99@1080.l,100.l,121.7,152.id,166@1080.m,167.m,283.ie,293.if,294.ig,346.ih,359.e,360.f;0.0,87@1080.l,88.l,107.5,109.2j,110.6,120.7,151.id,152.ii,155@1080.m,156.m,282.ie,292.if,345.ih,358.e,359.f;0.0,77@1080.l,78.l,92.5,94.2j,95.6,120.7,145@1080.m,146.m,151.id,282.ie,292.if,345.ih,358.e,359.f;0.0,66@1080.l,67.l,84.5,86.2j,87.6,120.7,134@1080.m,135.m,151.id,282.ie,283.ij,292.if,345.ih,346.ik,358.e,359.f,360.u;0.0,55@1080.l,56.l,104.5,106.2j,107.6,121.7,124@1080.m,125.m,152.id,283.ie,293.if,346.ih,359.e,360.f;0.0,43@1080.l,44.l,88.5,90.2j,91.6,112@1080.m,113.m,120.7,151.id,282.ie,292.if,345.ih,358.e,359.f;0.0,33@1080.l,34.l,101@1080.m,102.m,108.5,110.2j,111.6,120.7,151.id,282.ie,292.if,293.ig,345.ih,358.e,359.f;0.0,22@1080.l,23.l,90@1080.m,91.m,100.5,102.2j,103.6,120.7,151.id,152.ii,282.ie,292.if,345.ih,358.e,359.f;0.0,12@1080.l,13.l,80@1080.m,81.m,85.5,87.2j,88.6,121.7,152.id,283.ie,284.ij,293.if,346.ih,347.ik,359.e,360.f,361.u
KM 0.0,37@1080.j,38.j,77.il,99@1080.l,100.l,101.l,102.l,121.7,166@1080.m,167.m,168.m,187.s,188.n,257@1080.o,258.o,316.im;0.0,25@1080.j,26.j,76.il,87@1080.l,88.l,89.l,90.l,120.7,155@1080.m,156.m,157.m,175@1080.n,176.n,186.s,245@1080.o,246.o,315.im;0.0,14@1080.j,15.j,76.il,77@1080.l,78.l,79.l,80.l,120.7,145@1080.m,146.m,147.m,165@1080.n,166.n,186.s,235@1080.o,236.o,315.im;0.0,3@1080.j,4.j,66@1080.l,67.l,68.l,69.l,76.il,120.7,134@1080.m,135.m,136.m,155@1080.n,156.n,186.s,224@1080.o,225.o,315.im,357@1080.j,358.j;0.0,55@1080.l,56.l,57.l,58.l,77.il,121.7,124@1080.m,125.m,126.m,144@1080.n,145.n,187.s,214@1080.o,215.o,316.im,347@1080.j,348.j;0.0,43@1080.l,44.l,45.l,46.l,76.il,112@1080.m,113.m,114.m,120.7,132@1080.n,133.n,186.s,203@1080.o,204.o,315.im,335@1080.j,336.j;0.0,33@1080.l,34.l,35.l,36.l,76.il,101@1080.m,102.m,103.m,120.7,121@1080.n,122.n,186.s,192@1080.o,193.o,315.im,325@1080.j,326.j;0.0,22@1080.l,23.l,24.l,25.l,76.il,90@1080.m,91.m,92.m,111@1080.n,112.n,120.7,181@1080.o,182.o,186.s,314@1080.j,315.j;0.0,12@1080.l,13.l,14.l,15.l,77.il,80@1080.m,81.m,82.m,100@1080.n,101.n,121.7,170@1080.o,171.o,187.s,304@1080.j,305.j,316.im
KN 0.0,1.in,88.5,91.6,126.7,140.8,217.3x,218.io,259.71,262.s,359.e,360.f;0.0,1.in,107.5,110.6,124.7,159.8,215.3x,216.io,258.71,261.s,358.e,359.f;0.0,1.in,92.5,95.6,123.7,144.8,214.3x,215.io,258.71,261.s,358.e,359.f;0.0,1.in,84.5,87.6,122.7,136.8,213.3x,214.io,258.71,262.s,358.e,359.f;0.0,1.in,2.1h,104.5,107.6,121.7,156.8,213.io,219.3x,259.71,262.s,359.e,360.f;0.0,1.in,88.5,91.6,126.7,140.8,217.3x,218.io,258.71,259.72,261.s,358.e,359.f;0.0,1.in,108.5,111.6,125.7,160.8,216.3x,217.io,258.71,261.s,358.e,359.f;0.0,1.in,100.5,103.6,124.7,152.8,215.3x,216.io,258.71,261.s,358.e,359.f;0.0,1.in,85.5,88.6,123.7,137.8,214.3x,215.io,259.71,263.s,359.e,360.f
KR 0.0,40.ip,41.ip,42.ip,60.iq,125.9h,126.hw,135.43,157.26,227.18,259.ir,260.ir,261.ir,276.is,282.it,359.e;0.0,28.ip,29.ip,30.ip,59.iq,61.iu,124.9h,125.hw,156.26,226.18,275.is,277.ir,278.ir,279.ir,280.iv,281.it,358.e;0.0,47.ip,48.ip,49.ip,59.iq,60.iu,124.9h,143.43,144.iw,156.26,197.3,226.18,228.1c,266.ir,267.ir,268.ir,275.is,277.ix,281.it,358.e;0.0,37.ip,38.ip,39.ip,59.iq,124.9h,132.43,156.26,197.3,199.95,226.18,227.1c,256.ir,257.ir,258.ir,275.is,276.ix,281.it,283.iy,358.e,360.1g;0.0,26.ip,27.ip,28.ip,60.iq,122.43,125.9h,157.26,198.3,227.18,275.ir,276.ir,277.ir,278.ix,282.it,359.e;0.0,43.ip,44.ip,45.ip,59.iq,124.9h,126.hw,139.43,140.iw,156.26,197.3,226.18,263.ir,264.ir,265.ir,266.iv,275.is,281.it,358.e;0.0,33.ip,34.ip,35.ip,59.iq,124.9h,125.hw,128.43,156.26,197.3,226.18,253.ir,254.ir,255.ir,275.is,281.it,358.e;0.0,22.ip,23.ip,24.ip,59.iq,61.iu,124.9h,147.43,156.26,197.3,226.18,272.ir,273.ir,274.ir,275.is,281.it,358.e;0.0,41.ip,42.ip,43.ip,60.iq,125.9h,136.43,137.iw,157.26,198.3,200.95,227.18,228.1c,261.ir,262.ir,263.ir,264.iv,276.is,277.ix,282.it,284.iy,359.e,361.1g
KY 0.0,21.3v,44.9y,88.5,91.6,140.7v,168.93,183.3,359.e,360.f;0.0,26.3v,63.9y,107.5,110.6,138.7v,166.93,182.3,358.e,359.f;0.0,25.3v,48.9y,92.5,95.6,137.7v,165.93,182.3,358.e,359.f;0.0,24.3v,40.9y,84.5,87.6,136.7v,182.3,358.e,359.f;0.0,2.1h,23.3v,60.9y,104.5,107.6,135.7v,183.3,359.e,360.f;0.0,21.3v,44.9y,88.5,91.6,140.7v,182.3,358.e,359.f;0.0,27.3v,64.9y,108.5,111.6,139.7v,182.3,358.e,359.f;0.0,26.3v,56.9y,100.5,103.6,138.7v,182.3,358.e,359.f;0.0,25.3v,41.9y,85.5,88.6,137.7v,183.3,359.e,360.f
KZ 0.0,1.0,6.3l,67.1k,80.iz,81.iz,82.iz,84.j0,121.j1,127.j2,129.3s,166@1080.j3,167.j3,187.j4,189.j5,242.3,298.1n,350.s;0.0,1.0,6.3l,66.1k,68.3e,79.iz,80.iz,81.iz,82.j0,83.j0,120.j1,126.j2,128.3s,155@1080.j3,156.j3,186.j4,187.j5,241.3,243.95,297.1n,299.3j,349.s;0.0,1.0,6.3l,66.1k,67.3e,73.3,74.95,79.iz,80.iz,81.j0,82.j0,120.j1,126.j2,128.3s,130.j6,145@1080.j3,146.j3,186.j4,297.1n,298.3j,349.s;0.0,1.0,3.1h,6.3l,66.1k,73.3,79.iz,80.iz,81.j0,120.j1,122.j7,126.j2,128.3s,129.j6,134@1080.j3,135.j3,186.j4,297.1n,349.s;0.0,1.0,2.1h,3.1h,6.3l,67.1k,74.3,80.iz,81.iz,82.iz,121.j1,124@1080.j3,125.j3,127.j2,128.j8,129.3s,187.j4,298.1n,350.s,352.1e;0.0,1.0,6.3l,66.1k,73.3,79.iz,80.iz,81.iz,112@1080.j3,113.j3,120.j1,126.j2,128.3s,186.j4,297.1n,349.s,351.1e;0.0,1.0,6.3l,66.1k,73.3,79.iz,80.iz,81.iz,83.j0,101@1080.j3,102.j3,120.j1,126.j2,128.3s,186.j4,188.j5,297.1n,349.s;0.0,1.0,6.3l,66.1k,68.3e,73.3,75.95,79.iz,80.iz,81.iz,82.j0,83.j0,90@1080.j3,91.j3,120.j1,126.j2,128.3s,186.j4,187.j5,297.1n,299.3j,349.s;0.0,1.0,6.3l,67.1k,74.3,80.iz,81.j3,82.j0,121.j1,123.j7,127.j2,129.3s,130.j6,187.j4,298.1n,350.s
LC 0.0,1.j9,52.s,88.5,91.6,121.7,140.8,150.2f,193.5n,194.5n,195.5n,196.5n,213.3x,280.7j,347.p,359.e,360.f;0.0,1.j9,52.s,107.5,110.6,120.7,159.8,169.2f,191.5n,192.5n,193.5n,194.5n,212.3x,278.7j,346.p,358.e,359.f;0.0,1.j9,52.s,92.5,95.6,120.7,144.8,154.2f,190.5n,191.5n,192.5n,193.5n,212.3x,277.7j,346.p,358.e,359.f;0.0,1.j9,52.s,84.5,87.6,120.7,136.8,146.2f,196.5n,197.5n,198.5n,199.5n,212.3x,276.7j,346.p,358.e,359.f;0.0,1.j9,52.s,104.5,107.6,121.7,156.8,166.2f,195.5n,196.5n,197.5n,198.5n,213.3x,275.7j,347.p,359.e,360.f;0.0,1.j9,52.s,88.5,91.6,120.7,140.8,150.2f,193.5n,194.5n,195.5n,196.5n,212.3x,273.7j,346.p,358.e,359.f;0.0,1.j9,52.s,108.5,111.6,120.7,160.8,170.2f,192.5n,193.5n,194.5n,195.5n,212.3x,279.7j,346.p,358.e,359.f;0.0,1.j9,52.s,100.5,103.6,120.7,152.8,162.2f,191.5n,192.5n,193.5n,194.5n,212.3x,278.7j,346.p,358.e,359.f;0.0,1.j9,52.s,85.5,88.6,121.7,137.8,147.2f,197.5n,198.5n,199.5n,200.5n,213.3x,277.7j,347.p,359.e,360.f
LI 0.0,1.ja,5.1,43.2,88.5,91.6,121.7,129.2e,130.jb,140.8,150.2f,151.jb,251.jc,342.c,358.d,359.e,360.f,365.1o;0.0,1.ja,5.1,62.2,107.5,110.6,120.7,148.2e,149.jb,159.8,169.2f,170.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,47.2,92.5,95.6,120.7,133.2e,134.jb,144.8,154.2f,155.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,39.2,84.5,87.6,120.7,125.2e,126.jb,136.8,146.2f,147.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,59.2,104.5,107.6,121.7,145.2e,146.jb,156.8,166.2f,167.jb,251.jc,342.c,358.d,359.e,360.f,365.1o;0.0,1.ja,5.1,43.2,88.5,91.6,120.7,129.2e,130.jb,140.8,150.2f,151.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,63.2,108.5,111.6,120.7,149.2e,150.jb,160.8,170.2f,171.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,55.2,100.5,103.6,120.7,141.2e,142.jb,152.8,162.2f,163.jb,250.jc,341.c,357.d,358.e,359.f,364.1o;0.0,1.ja,5.1,40.2,85.5,88.6,121.7,126.2e,127.jb,137.8,147.2f,148.jb,251.jc,342.c,358.d,359.e,360.f,365.1o
LK 0.0,2.jd,14.je,31.jf,34.p,45.jg,61.jh,80.ji,88.5,91.jj,103.jk,104.jl,121.jm,122.jn,148.jo,150.jp,180.jq,210.jr,238.js,239.jt,269.ju,298.jv,312.jw,328.jx,357.jy,359.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,90.jj,102.jk,103.jl,107.5,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,90.jj,92.5,102.jk,103.jl,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,84.5,90.jj,102.jk,103.jl,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,61.jh,80.ji,91.jj,103.jk,104.jl,121.jm,122.jn,148.jo,150.jp,180.jq,210.jr,238.js,239.jt,269.ju,298.jv,312.jw,328.jx,357.jy,359.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,88.5,90.jj,102.jk,103.jl,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,90.jj,102.jk,103.jl,108.5,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,60.jh,79.ji,90.jj,100.5,102.jk,103.jl,120.jm,121.jn,147.jo,149.jp,179.jq,209.jr,237.js,238.jt,268.ju,297.jv,311.jw,327.jx,356.jy,358.e;0.0,2.jd,14.je,31.jf,34.p,45.jg,61.jh,80.ji,85.5,91.jj,103.jk,104.jl,121.jm,122.jn,148.jo,150.jp,180.jq,210.jr,238.js,239.jt,269.ju,298.jv,312.jw,328.jx,357.jy,359.e
LR 0.0,41.4t,72.jz,74.k0,102.k1,134.k2,207.s,236.3a,311.7j,333.k3,359.e;0.0,41.4t,70.jz,73.k0,100.k1,133.k2,206.s,235.3a,309.7j,332.k3,358.e;0.0,41.4t,69.jz,73.k0,99.k1,133.k2,206.s,235.3a,308.7j,332.k3,358.e;0.0,41.4t,68.jz,73.k0,98.k1,133.k2,206.s,235.3a,307.7j,332.k3,358.e;0.0,41.4t,67.jz,74.k0,104.k1,134.k2,207.s,236.3a,306.7j,333.k3,359.e;0.0,41.4t,72.jz,73.k0,102.k1,133.k2,206.s,235.3a,304.7j,332.k3,358.e;0.0,41.4t,71.jz,73.k0,101.k1,133.k2,206.s,235.3a,310.7j,332.k3,358.e;0.0,41.4t,70.jz,73.k0,100.k1,133.k2,206.s,235.3a,309.7j,332.k3,358.e;0.0,41.4t,69.jz,74.k0,99.k1,134.k2,207.s,236.3a,308.7j,333.k3,359.e
LS 0.0,70.k4,88.5,91.6,121.k5,129.2e,145.k6,198.k7,277.s,359.e,360.f;0.0,69.k4,107.5,110.6,120.k5,144.k6,148.2e,197.k7,276.s,358.e,359.f;0.0,69.k4,92.5,95.6,120.k5,133.2e,144.k6,197.k7,276.s,358.e,359.f;0.0,69.k4,84.5,87.6,120.k5,125.2e,144.k6,197.k7,276.s,358.e,359.f;0.0,70.k4,104.5,107.6,121.k5,145.k6,198.k7,277.s,359.e,360.f;0.0,69.k4,88.5,91.6,120.k5,129.2e,144.k6,197.k7,276.s,358.e,359.f;0.0,69.k4,108.5,111.6,120.k5,144.k6,149.2e,197.k7,276.s,358.e,359.f;0.0,69.k4,100.5,103.6,120.k5,141.2e,144.k6,197.k7,276.s,358.e,359.f;0.0,70.k4,85.5,88.6,121.k5,126.2e,145.k6,198.k7,277.s,359.e,360.f
LT 0.0,46.k8,70.k9,90.2j,91.6,121.7,175.ka,187.3q,227.9,305.b,306.1s,358.d,359.e,360.f;0.0,46.k8,69.k9,109.2j,110.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,69.k9,94.2j,95.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,69.k9,86.2j,87.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,70.k9,106.2j,107.6,121.7,175.ka,187.3q,227.9,305.b,306.1s,358.d,359.e,360.f;0.0,46.k8,69.k9,90.2j,91.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,69.k9,110.2j,111.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,69.k9,102.2j,103.6,120.7,174.ka,186.3q,226.9,304.b,305.1s,357.d,358.e,359.f;0.0,46.k8,70.k9,87.2j,88.6,121.7,175.ka,187.3q,227.9,305.b,306.1s,358.d,359.e,360.f
LU 0.0,91.6,121.7,129.kb,140.8,174.2g,227.9,305.b,359.e,360.f;0.0,110.6,120.7,128.kb,148.2e,159.8,173.2g,226.9,304.b,358.e,359.f;0.0,95.6,120.7,128.kb,133.2e,144.8,173.2g,226.9,304.b,358.e,359.f;0.0,87.6,120.7,125.2e,128.kb,136.8,173.2g,226.9,304.b,358.e,359.f;0.0,107.6,121.7,129.kb,145.2e,156.8,174.2g,227.9,305.b,359.e,360.f;0.0,91.6,120.7,128.kb,129.2e,140.8,173.2g,226.9,304.b,358.e,359.f;0.0,111.6,120.7,128.kb,149.2e,160.8,173.2g,226.9,304.b,358.e,359.f;0.0,103.6,120.7,128.kb,141.2e,152.8,173.2g,226.9,304.b,358.e,359.f;0.0,88.6,121.7,126.2e,129.kb,137.8,174.2g,227.9,305.b,359.e,360.f
LV 0.0,88.5,90.2j,91.6,121.7,124.kc,126.kd,174.32,175.ke,322.1n,358.d,359.e,360.f,365.1o;0.0,107.5,109.2j,110.6,120.7,123.kc,124.kd,173.32,174.ke,321.1n,357.d,358.e,359.f,364.1o;0.0,92.5,94.2j,95.6,120.7,123.kc,173.32,174.ke,321.1n,357.d,358.e,359.f,364.1o;0.0,84.5,86.2j,87.6,120.7,123.kc,173.32,174.ke,321.1n,357.d,358.e,359.f,364.1o;0.0,104.5,106.2j,107.6,121.7,124.kc,174.32,175.ke,322.1n,324.3j,358.d,359.e,360.f,365.1o;0.0,88.5,90.2j,91.6,120.7,123.kc,173.32,174.ke,321.1n,322.3j,357.d,358.e,359.f,364.1o;0.0,108.5,110.2j,111.6,120.7,123.kc,125.kd,173.32,174.ke,321.1n,357.d,358.e,359.f,364.1o;0.0,100.5,102.2j,103.6,120.7,123.kc,124.kd,173.32,174.ke,321.1n,357.d,358.e,359.f,364.1o;0.0,85.5,87.2j,88.6,121.7,124.kc,174.32,175.ke,322.1n,358.d,359.e,360.f,365.1o
LY 47.an,99@1080.l,100.l,101.l,102.l,121.7,165@1080.4e,166.4e,167.m,168.m,169.m,187@1080.n,188.n,257@1080.o,258.o,259.b2,296.18,358.s;47.an,87@1080.l,88.l,89.l,90.l,120.7,154@1080.4e,155.4e,156.m,157.m,158.m,175@1080.n,176.n,245@1080.o,246.o,258.b2,295.18,357.s;47.an,77@1080.l,78.l,79.l,80.l,120.7,144@1080.4e,145.4e,146.m,147.m,148.m,165@1080.n,166.n,235@1080.o,236.o,258.b2,295.18,357.s;47.an,66@1080.l,67.l,68.l,69.l,120.7,133@1080.4e,134.4e,135.m,136.m,137.m,155@1080.n,156.n,224@1080.o,225.o,258.b2,295.18,357.s;47.an,55@1080.l,56.l,57.l,58.l,121.7,123@1080.4e,124.4e,125.m,126.m,127.m,144@1080.n,145.n,214@1080.o,215.o,259.b2,296.18,358.s;43@1080.l,44.l,45.l,46.l,47.an,111@1080.4e,112.4e,113.m,114.m,115.m,120.7,132@1080.n,133.n,203@1080.o,204.o,258.b2,295.18,357.s;33@1080.l,34.l,35.l,36.l,47.an,100@1080.4e,101.4e,102.m,103.m,104.m,120.7,121@1080.n,122.n,192@1080.o,193.o,258.b2,295.18,357.s;22@1080.l,23.l,24.l,25.l,47.an,89@1080.4e,90.4e,91.m,92.m,93.m,111@1080.n,112.n,120.7,181@1080.o,182.o,258.b2,295.18,357.s;12@1080.l,13.l,14.l,15.l,47.an,79@1080.4e,80.4e,81.m,82.m,83.m,100@1080.n,101.n,121.7,170@1080.o,171.o,259.b2,296.18,358.s
MA 0.0,10.kf,99@1080.l,100.l,121.7,166@1080.m,167.m,187@1080.n,188.n,211.kg,226.kh,232.ki,233.19,257@1080.o,258.o,310.kj,322.s;0.0,10.kf,87@1080.l,88.l,120.7,155@1080.m,156.m,175@1080.n,176.n,210.kg,225.kh,231.ki,232.19,245@1080.o,246.o,309.kj,321.s;0.0,10.kf,77@1080.l,78.l,120.7,145@1080.m,146.m,165@1080.n,166.n,210.kg,225.kh,231.ki,232.19,235@1080.o,236.o,309.kj,321.s;0.0,10.kf,66@1080.l,67.l,120.7,134@1080.m,135.m,155@1080.n,156.n,210.kg,224@1080.o,225.o,231.ki,232.19,309.kj,321.s;0.0,10.kf,55@1080.l,56.l,121.7,124@1080.m,125.m,144@1080.n,145.n,211.kg,214@1080.o,215.o,226.kh,232.ki,233.19,310.kj,322.s;0.0,10.kf,43@1080.l,44.l,112@1080.m,113.m,120.7,132@1080.n,133.n,203@1080.o,204.o,210.kg,225.kh,231.ki,232.19,309.kj,321.s;0.0,10.kf,33@1080.l,34.l,101@1080.m,102.m,120.7,121@1080.n,122.n,192@1080.o,193.o,210.kg,225.kh,231.ki,232.19,309.kj,321.s;0.0,10.kf,22@1080.l,23.l,90@1080.m,91.m,111@1080.n,112.n,120.7,181@1080.o,182.o,210.kg,225.kh,231.ki,232.19,309.kj,321.s;0.0,10.kf,12@1080.l,13.l,80@1080.m,81.m,100@1080.n,101.n,121.7,170@1080.o,171.o,211.kg,226.kh,232.ki,233.19,310.kj,322.s
MC 0.0,26.kk,91.6,121.7,129.2e,140.8,150.2f,227.9,305.b,323.kl,342.c,359.e;0.0,26.kk,110.6,120.7,148.2e,159.8,169.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,95.6,120.7,133.2e,144.8,154.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,87.6,120.7,125.2e,136.8,146.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,107.6,121.7,145.2e,156.8,166.2f,227.9,305.b,323.kl,324.km,342.c,359.e;0.0,26.kk,91.6,120.7,129.2e,140.8,150.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,27.kn,111.6,120.7,149.2e,160.8,170.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,103.6,120.7,141.2e,152.8,162.2f,226.9,304.b,322.kl,341.c,358.e;0.0,26.kk,88.6,121.7,126.2e,137.8,147.2f,227.9,305.b,323.kl,342.c,359.e
MD 0.0,6.3l,7.3l,67.1k,121.7,125.2j,126.6,129.3s,133.26,239.s,243.ko,359.e;0.0,6.3l,7.3l,66.1k,109.2j,110.6,117.26,120.7,128.3s,238.s,242.ko,358.e;0.0,6.3l,7.3l,66.1k,101.2j,102.6,109.26,120.7,128.3s,238.s,242.ko,358.e;0.0,6.3l,7.3l,66.1k,120.7,121.2j,122.6,128.3s,129.26,238.s,242.ko,358.e;0.0,6.3l,7.3l,67.1k,106.2j,107.6,114.26,121.7,129.3s,239.s,243.ko,359.e;0.0,6.3l,7.3l,66.1k,97.2j,98.6,105.26,120.7,128.3s,238.s,242.ko,358.e;0.0,6.3l,7.3l,66.1k,117.2j,118.6,120.7,125.26,128.3s,238.s,242.ko,358.e;0.0,6.3l,7.3l,66.1k,102.2j,103.6,110.26,120.7,128.3s,238.s,242.ko,358.e;0.0,6.3l,7.3l,67.1k,121.7,122.2j,123.6,129.3s,130.26,239.s,243.ko,359.e
MD-CA 325.kp;324.kp;324.kp;324.kp;325.kp;324.kp;324.kp;324.kp;325.kp
MD-CU 287.kq;286.kq;286.kq;286.kq;287.kq;286.kq;286.kq;286.kq;287.kq
ME 0.0,1.0,5.d,6.e,7.f,88.5,90.2j,91.2j,99@1080.l,100.l,101.l,102.l,112@1080.kr,113.kr,114.kr,121.7,122.7,123.5,125.2j,141.s,142.s,166@1080.m,167.m,168.m,169.m,194.3q,195.3q,196.ks,284@1080.kt,285.kt,286.kt,305.b,358.d,359.e,360.e;0.0,1.0,5.d,6.e,7.f,87@1080.l,88.l,89.l,90.l,101@1080.kr,102.kr,103.kr,107.5,109.2j,110.2j,120.7,121.7,140.s,141.s,155@1080.m,156.m,157.m,158.m,193.3q,194.3q,195.ks,273@1080.kt,274.kt,275.kt,304.b,357.d,358.e,359.e;0.0,1.0,5.d,6.e,7.f,77@1080.l,78.l,79.l,80.l,90@1080.kr,91.kr,92.kr,94.2j,95.2j,99.5,101.2j,120.7,121.7,140.s,141.s,145@1080.m,146.m,147.m,148.m,193.3q,194.3q,262@1080.kt,263.kt,264.kt,304.b,357.d,358.e,359.e;0.0,1.0,5.d,6.e,7.f,66@1080.l,67.l,68.l,69.l,84.5,86.2j,87.2j,110@1080.kr,111.kr,112.kr,119.5,120.7,121.2j,122.bx,134@1080.m,135.m,136.m,137.m,140.s,141.s,193.3q,194.3q,282@1080.kt,283.kt,284.kt,304.b,357.d,358.e,359.e;0.0,1.0,2.1h,5.d,6.e,7.f,55@1080.l,56.l,57.l,58.l,100@1080.kr,101.kr,102.kr,104.5,106.2j,107.2j,121.7,122.7,124@1080.m,125.m,126.m,127.m,141.s,142.s,143.1e,194.3q,195.3q,272@1080.kt,273.kt,274.kt,305.b,358.d,359.e,360.e;0.0,1.0,5.d,6.e,7.f,43@1080.l,44.l,45.l,46.l,88.5,89.kr,90.kr,91.2j,95.5,97.2j,112@1080.m,113.m,114.m,115.m,120.7,121.7,140.s,141.s,193.3q,194.3q,260@1080.kt,261.kt,262.kt,304.b,357.d,358.e,359.e;0.0,1.0,5.d,6.e,7.f,33@1080.l,34.l,35.l,36.l,101@1080.m,102.m,103.m,104.m,106@1080.kr,107.kr,108.kr,110.2j,111.2j,115.5,117.2j,120.7,121.7,140.s,141.s,193.3q,194.3q,195.ks,278@1080.kt,279.kt,280.kt,304.b,357.d,358.e,359.e;0.0,1.0,5.d,6.e,7.f,22@1080.l,23.l,24.l,25.l,90@1080.m,91.m,92.m,93.m,96@1080.kr,97.kr,98.kr,100.5,102.2j,103.2j,120.7,121.7,140.s,141.s,193.3q,194.3q,195.ks,268@1080.kt,269.kt,270.kt,304.b,357.d,358.e,359.e;0.0,1.0,5.d,6.e,7.f,12@1080.l,13.l,14.l,15.l,80@1080.m,81.m,82.m,83.m,85.5,86.kr,87.kr,88.2j,120.5,121.7,122.2j,123.bx,141.s,142.s,194.3q,195.3q,257@1080.kt,258.kt,259.kt,305.b,358.d,359.e,360.e
MF 0.0,91.6,121.7,128.3s,129.2e,140.8,147.4m,195.4l,227.9,305.b,315.48,359.e;0.0,110.6,120.7,127.3s,146.4m,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,95.6,120.7,127.3s,133.2e,144.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,87.6,120.7,125.2e,127.3s,136.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,107.6,121.7,128.3s,145.2e,147.4m,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,91.6,120.7,127.3s,129.2e,140.8,146.4m,194.4l,226.9,304.b,314.48,358.e;0.0,111.6,120.7,127.3s,146.4m,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,103.6,120.7,127.3s,141.2e,146.4m,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,88.6,121.7,126.2e,128.3s,137.8,147.4m,195.4l,227.9,305.b,315.48,359.e
MG 0.0,67.1k,88.b2,90.2j,91.6,99@1080.l,100.l,121.7,129.2e,140.8,145.dc,166@1080.m,167.m,177.s,227.9,305.b,359.e;0.0,66.1k,87.b2,88.l,109.2j,110.6,120.7,144.dc,148.2e,155@1080.m,156.m,159.8,176.s,226.9,304.b,358.e;0.0,66.1k,77@1080.l,78.l,87.b2,94.2j,95.6,120.7,133.2e,144.dc,145@1080.m,146.m,176.s,226.9,304.b,358.e;0.0,66.1k,67.l,86.2j,87.b2,120.7,125.2e,134@1080.m,135.m,136.8,144.dc,176.s,226.9,304.b,358.e;0.0,55@1080.l,56.l,67.1k,88.b2,106.2j,107.6,121.7,124@1080.m,125.m,145.dc,156.8,177.s,227.9,305.b,359.e;0.0,43@1080.l,44.l,66.1k,87.b2,90.2j,91.6,112@1080.m,113.m,120.7,129.2e,140.8,144.dc,176.s,226.9,304.b,358.e;0.0,33@1080.l,34.l,66.1k,87.b2,101@1080.m,102.m,110.2j,111.6,120.7,144.dc,149.2e,160.8,176.s,226.9,304.b,358.e;0.0,22@1080.l,23.l,66.1k,87.b2,90@1080.m,91.m,102.2j,103.6,120.7,141.2e,144.dc,152.8,176.s,226.9,304.b,358.e;0.0,12@1080.l,13.l,67.1k,80@1080.m,81.m,87.2j,88.b2,121.7,126.2e,137.8,145.dc,177.s,227.9,305.b,359.e
MK 0.0,6.3l,7.ku,99@1080.l,100.l,121.7,125.15,126.kv,144.a6,214.kw,251.s,252.1e,284.an,296.kx,342.ky,343.kz;0.0,6.3l,87@1080.l,88.l,89.3f,109.15,110.kv,120.7,143.a6,213.kw,250.s,283.an,295.kx,341.ky;0.0,6.3l,77@1080.l,78.l,101.15,102.kv,120.7,143.a6,144.l0,213.kw,214.l1,250.s,283.an,284.l2,295.kx,341.ky;0.0,6.3l,66@1080.l,67.l,120.7,121.15,122.kv,143.a6,213.kw,250.s,283.an,295.kx,341.ky;0.0,6.3l,55@1080.l,56.l,106.15,107.kv,121.7,144.a6,214.kw,251.s,284.an,296.kx,342.ky;0.0,6.3l,7.ku,43@1080.l,44.l,97.15,98.kv,120.7,143.a6,213.kw,250.s,283.an,295.kx,341.ky;0.0,6.3l,33@1080.l,34.l,117.15,118.kv,120.7,143.a6,213.kw,250.s,251.1e,283.an,295.kx,341.ky,342.kz;0.0,6.3l,22@1080.l,23.l,102.15,103.kv,120.7,143.a6,213.kw,250.s,283.an,295.kx,341.ky;0.0,6.3l,12@1080.l,13.l,121.7,122.15,123.kv,144.a6,214.kw,251.s,284.an,296.kx,342.ky
ML 0.0,19.1j,85.b2,91.6,99@1080.l,100.l,121.7,145.l3,166@1080.m,167.m,257@1080.o,258.o,265.s,359.e;0.0,19.1j,84.b2,87@1080.l,88.l,110.6,120.7,144.l3,155@1080.m,156.m,245@1080.o,246.o,264.s,358.e;0.0,19.1j,77@1080.l,78.l,84.b2,95.6,120.7,144.l3,145@1080.m,146.m,235@1080.o,236.o,264.s,358.e;0.0,19.1j,66@1080.l,67.l,84.b2,87.6,120.7,134@1080.m,135.m,144.l3,224@1080.o,225.o,264.s,358.e;0.0,19.1j,55@1080.l,56.l,85.b2,107.6,121.7,124@1080.m,125.m,145.l3,214@1080.o,215.o,265.s,359.e;0.0,19.1j,43@1080.l,44.l,84.b2,91.6,112@1080.m,113.m,120.7,144.l3,203@1080.o,204.o,264.s,358.e;0.0,19.1j,33@1080.l,34.l,84.b2,101@1080.m,102.m,111.6,120.7,144.l3,192@1080.o,193.o,264.s,358.e;0.0,19.1j,22@1080.l,23.l,84.b2,90@1080.m,91.m,103.6,120.7,144.l3,181@1080.o,182.o,264.s,358.e;0.0,12@1080.l,13.l,19.1j,80@1080.m,81.m,85.b2,88.6,121.7,145.l3,170@1080.o,171.o,265.s,359.e
MQ 0.0,88.5,91.6,121.7,128.3s,129.2e,140.8,142.4m,195.4l,227.9,305.b,315.48,359.e;0.0,107.5,110.6,120.7,127.3s,141.4m,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,92.5,95.6,120.7,127.3s,133.2e,141.4m,144.8,194.4l,226.9,304.b,314.48,358.e;0.0,84.5,87.6,120.7,125.2e,127.3s,136.8,141.4m,194.4l,226.9,304.b,314.48,358.e;0.0,104.5,107.6,121.7,128.3s,142.4m,145.2e,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,88.5,91.6,120.7,127.3s,129.2e,140.8,141.4m,194.4l,226.9,304.b,314.48,358.e;0.0,108.5,111.6,120.7,127.3s,141.4m,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,100.5,103.6,120.7,127.3s,141.4m,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,85.5,88.6,121.7,126.2e,128.3s,137.8,142.4m,195.4l,227.9,305.b,315.48,359.e
MR 0.0,99@1080.l,100.l,121.7,145.dc,166@1080.m,167.m,168.m,169.m,187@1080.n,188.n,257@1080.o,258.o,332.s;0.0,87@1080.l,88.l,120.7,144.dc,155@1080.m,156.m,157.m,158.m,175@1080.n,176.n,245@1080.o,246.o,331.s;0.0,77@1080.l,78.l,120.7,144.dc,145@1080.m,146.m,147.m,148.m,165@1080.n,166.n,235@1080.o,236.o,331.s;0.0,66@1080.l,67.l,120.7,134@1080.m,135.m,136.m,137.m,144.dc,155@1080.n,156.n,224@1080.o,225.o,331.s;0.0,55@1080.l,56.l,121.7,124@1080.m,125.m,126.m,127.m,144@1080.n,145.n,214@1080.o,215.o,332.s;0.0,43@1080.l,44.l,112@1080.m,113.m,114.m,115.m,120.7,132@1080.n,133.n,144.dc,203@1080.o,204.o,331.s;0.0,33@1080.l,34.l,101@1080.m,102.m,103.m,104.m,120.7,121@1080.n,122.n,144.dc,192@1080.o,193.o,331.s;0.0,22@1080.l,23.l,90@1080.m,91.m,92.m,93.m,111@1080.n,112.n,120.7,144.dc,181@1080.o,182.o,331.s;0.0,12@1080.l,13.l,80@1080.m,81.m,82.m,83.m,100@1080.n,101.n,121.7,145.dc,170@1080.o,171.o,332.s
MS 0.0,1.l4,76.l5,77.l6,88.5,91.6,126.7,140.8,161.l7,213.3x,359.e,360.f,365.l8;0.0,75.l5,107.5,110.6,124.7,159.8,212.3x,358.e,359.f,364.l8;0.0,75.l5,92.5,95.6,123.7,144.8,165.l7,214.3x,358.e,359.f,361.u,364.l8;0.0,75.l5,84.5,87.6,122.7,136.8,164.l7,213.3x,358.e,359.f,360.1g,361.u,364.l8;0.0,2.1h,76.l5,104.5,107.6,121.7,156.8,163.l7,213.3x,359.e,360.f,365.l8;0.0,1.l4,75.l5,77.l6,88.5,91.6,126.7,140.8,161.l7,212.3x,358.e,359.f,364.l8;0.0,75.l5,76.l6,108.5,111.6,125.7,160.8,212.3x,358.e,359.f,364.l8;0.0,75.l5,100.5,103.6,124.7,152.8,159.l7,212.3x,358.e,359.f,364.l8;0.0,76.l5,85.5,88.6,123.7,137.8,165.l7,214.3x,359.e,360.f,361.1g,362.u,365.l8
MT 0.0,40.l9,78.8m,88.5,90.la,121.7,158.lb,180.8r,227.9,251.3s,264.s,342.c,347.1n,359.e;0.0,40.l9,77.8m,89.la,107.5,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,77.8m,89.la,92.5,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,77.8m,84.5,89.la,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,78.8m,90.la,104.5,121.7,158.lb,180.8r,227.9,251.3s,264.s,342.c,347.1n,359.e;0.0,40.l9,77.8m,88.5,89.la,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,77.8m,89.la,108.5,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,77.8m,89.la,100.5,120.7,157.lb,179.8r,226.9,250.3s,263.s,341.c,346.1n,358.e;0.0,40.l9,78.8m,85.5,90.la,121.7,158.lb,180.8r,227.9,251.3s,264.s,342.c,347.1n,359.e
MU 0.0,1.11,24.lc,31.4m,40.ld,67.le,71.p,99.lf,100.lg,121.7,250.lh,305.b,306.li,359.e;0.0,1.11,28.ld,31.4m,41.lc,56.le,70.p,88.lf,89.lg,120.7,239.lh,292.lj,304.b,305.li,358.e;0.0,1.11,31.4m,45.le,47.ld,70.p,77.lf,79.lg,120.7,258.lh,304.b,305.li,311.lj,358.e;0.0,1.11,19.lc,31.4m,36.ld,65.le,66@1080.lg,67.lg,70.p,96.lf,120.7,247.lh,301.lj,304.b,305.li,358.e;0.0,1.11,25.ld,31.4m,38.lc,55.le,56.lg,71.p,85.lf,121.7,236.lh,290.lj,305.b,306.li,359.e;0.0,1.11,27.lc,31.4m,43.ld,44.lg,70.p,103.lf,120.7,254.lh,304.b,305.li,308.lj,358.e;0.0,1.11,16.lc,31.4m,33.ld,34.lg,63.le,70.p,92.lf,120.7,243.lh,298.lj,304.b,305.li,358.e;0.0,1.11,22.ld,23.lg,31.4m,35.lc,51.le,70.p,81.lf,120.7,262.lh,304.b,305.li,317.lj,358.e;0.0,1.11,12@1080.lg,13.lg,25.lc,31.4m,41.ld,70.le,71.p,101.lf,121.7,252.lh,305.b,306.li,359.e
MW 0.0,14.lk,62.b2,63.b2,88.5,91.6,99@1080.ll,100.ll,121.7,134.lm,187.s,189.1e,288.1l,359.e;0.0,14.lk,61.b2,87@1080.ll,88.ll,89.ln,107.5,110.6,120.7,133.lm,186.s,187.1e,287.1l,358.e;0.0,14.lk,61.b2,77@1080.ll,78.ll,92.5,95.6,120.7,133.lm,186.s,287.1l,358.e;0.0,14.lk,61.b2,66@1080.ll,67.ll,84.5,87.6,120.7,122.7,133.lm,186.s,287.1l,358.e,360.1g;0.0,2.1h,14.lk,16.lo,55@1080.ll,56.ll,57@1080.ln,58.ln,62.b2,104.5,107.6,121.7,134.lm,135.lp,187.s,288.1l,289.lq,359.e;0.0,14.lk,43@1080.ll,44.ll,61.b2,63.b2,88.5,91.6,120.7,133.lm,186.s,287.1l,358.e;0.0,14.lk,33@1080.ll,34.ll,61.b2,62.b2,108.5,111.6,120.7,133.lm,186.s,188.1e,287.1l,358.e;0.0,14.lk,22@1080.ll,23.ll,61.b2,100.5,103.6,120.7,133.lm,186.s,187.1e,287.1l,358.e;0.0,12@1080.ll,13.ll,14.lk,62.b2,85.5,88.6,121.7,123.7,134.lm,187.s,288.1l,359.e,361.1g
MX 0.0,35.3,77.lr,87.4,88.5,121.7,259.s,306.1s,322.an,335.ls,346.lt,359.e;0.0,33.3,75.lr,106.4,107.5,120.7,258.s,305.1s,320.an,345.lt,358.e;0.0,32.3,74.lr,91.4,92.5,120.7,258.s,305.1s,319.an,345.lt,358.e;0.0,31.3,73.lr,83.4,84.5,120.7,258.s,305.1s,318.an,345.lt,358.e;0.0,37.3,79.lr,103.4,104.5,121.7,259.s,306.1s,324.an,346.lt,359.e;0.0,35.3,77.lr,87.4,88.5,120.7,258.s,305.1s,322.an,345.lt,358.e;0.0,34.3,76.lr,107.4,108.5,120.7,258.s,305.1s,321.an,334.ls,345.lt,358.e;0.0,33.3,75.lr,99.4,100.5,120.7,258.s,305.1s,320.an,345.lt,358.e;0.0,32.3,74.lr,84.4,85.5,121.7,259.s,306.1s,319.an,346.lt,359.e
MY 0.0,40.4r,41.4r,42.7x,85@1080.lu,86.lu,99@1080.l,100.l,101.l,121.7,142.f4,154.lv,166@1080.m,167.m,187@1080.n,188.n,243.s,257@1080.o,258.o,259.lw,304.e5,359.e;0.0,28.4r,29.4r,74@1080.lu,75.lu,87@1080.l,88.l,89.l,120.7,131.f4,152.lv,155@1080.m,156.m,175@1080.n,176.n,242.s,243.1e,245@1080.o,246.o,258.lw,292.e5,358.e;0.0,47.4r,48.4r,65.lu,79.l,80.l,120.7,145@1080.m,146.m,150.f4,151.lv,167.n,235@1080.o,236.o,242.s,258.lw,311.e5,312.e5,358.e;0.0,36.4r,37.4r,38.7x,53@1080.lu,54.lu,66@1080.l,67.l,68.l,120.7,134@1080.m,135.m,155@1080.n,156.n,157.lv,224@1080.o,225.o,242.s,258.lw,300.e5,358.e;0.0,25.4r,26.4r,42@1080.lu,43.lu,55@1080.l,56.l,57.l,121.7,124@1080.m,125.m,144@1080.n,145.n,156.lv,214@1080.o,215.o,243.s,259.lw,319.e5,359.e;0.0,30@1080.lu,31.lu,43.4r,44.l,45.l,112@1080.m,113.m,120.7,132@1080.n,133.n,154.lv,203@1080.o,204.o,242.s,258.lw,259.lx,308.e5,358.e;0.0,19@1080.lu,20.lu,33.4r,34.l,35.l,101@1080.m,102.m,120.7,121@1080.n,122.n,153.lv,192@1080.o,193.o,242.s,258.lw,297.e5,358.e;0.0,9@1080.lu,10.lu,22.4r,23.l,24.l,90@1080.m,91.m,111@1080.n,112.n,120.7,152.lv,181@1080.o,182.o,242.s,243.1e,258.lw,358.e,363@1080.lu,364.lu;0.0,12@1080.l,13.l,14.l,41.4r,42.4r,80@1080.m,81.m,100@1080.n,101.n,121.7,158.lv,170@1080.o,171.o,243.s,259.lw,353@1080.lu,354.lu,359.e
MY-10 24.ly,345.lz;41.ly,344.lz;31.ly,344.lz;344.lz;345.lz;344.lz;344.lz;344.lz;345.lz
MY-11 !0.0,!166@1080.m,37@1080.j,38.j,63.m0,116.m1,165@1080.4e,166.4e,168.m;!0.0,!155@1080.m,25@1080.j,26.j,62.m0,115.m1,154@1080.4e,155.4e,157.m;!0.0,!145@1080.m,14@1080.j,15.j,62.m0,115.m1,144@1080.4e,145.4e,147.m;!0.0,!134@1080.m,!358.e,3@1080.j,4.j,62.m0,115.m1,133@1080.4e,134.4e,136.m,357@1080.j,358.j;!0.0,!124@1080.m,63.m0,116.m1,123@1080.4e,124.4e,126.m,347@1080.j,348.j;!0.0,!112@1080.m,62.m0,111@1080.4e,112.4e,114.m,115.m1,335@1080.j,336.j;!0.0,!101@1080.m,62.m0,100@1080.4e,101.4e,103.m,115.m1,325@1080.j,326.j;!0.0,!90@1080.m,62.m0,89@1080.4e,90.4e,92.m,115.m1,314@1080.j,315.j;!0.0,!80@1080.m,63.m0,79@1080.4e,80.4e,82.m,116.m1,304@1080.j,305.j
MY-12 !85@1080.lu,!86.lu,88.5,150.m2,151.m2,278.m3,358.d;!74@1080.lu,!75.lu,107.5,149.m2,150.m2,276.m3,357.d;!65.lu,!150.f4,92.5,149.m2,150.m2,275.m3,357.d;!53@1080.lu,!54.lu,84.5,149.m2,150.m2,274.m3,357.d;!42@1080.lu,!43.lu,104.5,150.m2,151.m2,280.m3,358.d;!30@1080.lu,!31.lu,88.5,149.m2,150.m2,278.m3,357.d;!19@1080.lu,!20.lu,108.5,149.m2,150.m2,277.m3,357.d;!9@1080.lu,!10.lu,!363@1080.lu,!364.lu,100.5,149.m2,150.m2,276.m3,357.d;!353@1080.lu,!354.lu,85.5,150.m2,151.m2,275.m3,358.d
MY-13 !85@1080.lu,!86.lu,!304.e5,88.5,152.m4,153.m4,203.m5,285.m6;!74@1080.lu,!75.lu,!152.lv,!292.e5,107.5,151.m4,152.m4,202.m5,283.m6;!65.lu,!151.lv,!312.e5,92.5,151.m4,152.m4,202.m5,282.m6;!53@1080.lu,!54.lu,!300.e5,84.5,151.m4,152.m4,202.m5,281.m6;!42@1080.lu,!43.lu,!319.e5,104.5,152.m4,153.m4,203.m5,287.m6;!30@1080.lu,!31.lu,!308.e5,88.5,151.m4,152.m4,202.m5,285.m6;!19@1080.lu,!20.lu,!297.e5,108.5,151.m4,152.m4,202.m5,284.m6;!9@1080.lu,!10.lu,!152.lv,!363@1080.lu,!364.lu,100.5,151.m4,152.m4,202.m5,283.m6;!353@1080.lu,!354.lu,85.5,152.m4,153.m4,203.m5,282.m6
MY-14 24.ly,31.m7;31.m7,41.ly;31.m7;31.m7;31.m7;;31.m7;31.m7;31.m7
MY-15 31.m7,150.m2,151.m2;31.m7,149.m2,150.m2;!150.f4,31.m7,149.m2,150.m2;31.m7,149.m2,150.m2;31.m7,150.m2,151.m2;149.m2,150.m2;31.m7,149.m2,150.m2;31.m7,149.m2,150.m2;31.m7,150.m2,151.m2
MY-16 24.ly,31.m7;31.m7,41.ly;31.m7;31.m7;31.m7;;31.m7;31.m7;31.m7
MY-01 !0.0,!85@1080.lu,!86.lu,24.ly,69@1080.k,70.k,82.m8,221@1080.m9,222.m9;!0.0,!74@1080.lu,!75.lu,41.ly,58@1080.k,59.k,81.m8,210@1080.m9,211.m9;!0.0,!48.4r,!65.lu,31.ly,48.k,81.m8,199@1080.m9,200.m9;!0.0,!38.7x,!53@1080.lu,!54.lu,38.k,81.m8,189@1080.m9,190.m9;!0.0,!42@1080.lu,!43.lu,27.k,82.m8,179@1080.m9,180.m9;!0.0,!30@1080.lu,!31.lu,14@1080.k,15.k,81.m8,167@1080.m9,168.m9;!0.0,!19@1080.lu,!20.lu,3@1080.k,4.k,81.m8,156@1080.m9,157.m9,359.k;!0.0,!9@1080.lu,!10.lu,!363@1080.lu,!364.lu,81.m8,145@1080.m9,146.m9,347@1080.k,348.k;!0.0,!353@1080.lu,!354.lu,82.m8,134@1080.m9,135.m9,337@1080.k,338.k
MY-02 !0.0,!85@1080.lu,!86.lu,24.ly,37@1080.j,38.j,69@1080.k,70.k,168.m;!0.0,!74@1080.lu,!75.lu,25@1080.j,26.j,41.ly,58@1080.k,59.k,157.m,165.ma;!0.0,!48.4r,!65.lu,14@1080.j,15.j,31.ly,48.k,147.m,171.ma;!0.0,!38.7x,!53@1080.lu,!54.lu,!358.e,3@1080.j,4.j,38.k,136.m,170.ma,357@1080.j,358.j;!0.0,!42@1080.lu,!43.lu,27.k,126.m,169.ma,347@1080.j,348.j;!0.0,!30@1080.lu,!31.lu,14@1080.k,15.k,114.m,167.ma,335@1080.j,336.j;!0.0,!19@1080.lu,!20.lu,3@1080.k,4.k,103.m,166.ma,325@1080.j,326.j,359.k;!0.0,!9@1080.lu,!10.lu,!363@1080.lu,!364.lu,92.m,165.ma,314@1080.j,315.j,347@1080.k,348.k;!0.0,!353@1080.lu,!354.lu,82.m,304@1080.j,305.j,337@1080.k,338.k
MY-03 !0.0,168.m,315.mb,316.mb;!0.0,157.m,314.mb,315.mb;!0.0,147.m,314.mb,315.mb;!0.0,136.m,314.mb,315.mb;!0.0,126.m,315.mb,316.mb;!0.0,114.m,314.mb,315.mb;!0.0,103.m,314.mb,315.mb;!0.0,92.m,314.mb,315.mb;!0.0,82.m,315.mb,316.mb
MY-04 !85@1080.lu,!86.lu,69@1080.k,70.k,105.mc,236.md;!74@1080.lu,!75.lu,58@1080.k,59.k,104.mc,235.md;!48.4r,!65.lu,!235@1080.o,48.k,104.mc,235.md;!38.7x,!53@1080.lu,!54.lu,38.k,104.mc,235.md;!42@1080.lu,!43.lu,27.k,105.mc,236.md;!30@1080.lu,!31.lu,14@1080.k,15.k,104.mc,235.md;!19@1080.lu,!20.lu,3@1080.k,4.k,104.mc,235.md,359.k;!9@1080.lu,!10.lu,!363@1080.lu,!364.lu,104.mc,235.md,347@1080.k,348.k;!353@1080.lu,!354.lu,105.mc,236.md,337@1080.k,338.k
MY-05 !85@1080.lu,!86.lu,13.me,24.ly,37@1080.j,38.j;!74@1080.lu,!75.lu,13.me,25@1080.j,26.j,41.ly;!65.lu,13.me,14@1080.j,15.j,31.ly;!53@1080.lu,!54.lu,!358.e,3@1080.j,4.j,13.me,357@1080.j,358.j;!42@1080.lu,!43.lu,13.me,347@1080.j,348.j;!30@1080.lu,!31.lu,13.me,335@1080.j,336.j;!19@1080.lu,!20.lu,13.me,325@1080.j,326.j;!9@1080.lu,!10.lu,!363@1080.lu,!364.lu,13.me,314@1080.j,315.j;!353@1080.lu,!354.lu,304@1080.j,305.j
MY-06 !142.f4,142.mf,211.mg;141.mf,210.mg;141.mf,210.mg;141.mf,210.mg;142.mf,211.mg;141.mf,210.mg;141.mf,210.mg;141.mf,210.mg;142.mf,211.mg
MY-07 24.ly,194.mh;41.ly,187.mi,192.mh;31.ly,187.mi,191.mh;187.mi,190.mh;188.mi,189.mh;187.mi,194.mh;187.mi;187.mi,192.mh;188.mi,191.mh
MY-08 24.ly,305.mj;41.ly,310.mj;31.ly,309.mj;308.mj;307.mj;305.mj;304.mj;310.mj;309.mj
MY-09 !0.0,37@1080.j,38.j,168.m,198.mk;!0.0,25@1080.j,26.j,157.m,197.mk;!0.0,14@1080.j,15.j,147.m,197.mk;!0.0,!358.e,3@1080.j,4.j,136.m,197.mk,357@1080.j,358.j;!0.0,126.m,198.mk,347@1080.j,348.j;!0.0,114.m,197.mk,335@1080.j,336.j;!0.0,103.m,197.mk,325@1080.j,326.j;!0.0,92.m,197.mk,314@1080.j,315.j;!0.0,82.m,198.mk,304@1080.j,305.j
MZ 0.0,33.ml,97.mm,98.3z,121.k5,176.s,250.mn,268.mo,277.mp,359.79;0.0,33.ml,96.mm,120.k5,175.s,249.mn,250.3z,267.mo,276.mp,358.79;0.0,33.ml,96.mm,120.k5,175.s,249.mn,267.mo,276.mp,277.3z,358.79;0.0,33.ml,96.mm,120.k5,175.s,249.mn,267.mo,276.mp,358.79;0.0,33.ml,97.mm,121.k5,176.s,177.3z,250.mn,268.mo,277.mp,359.79;0.0,33.ml,96.mm,120.k5,175.s,249.mn,267.mo,276.mp,358.79;0.0,33.ml,34.3z,96.mm,97.3z,120.k5,175.s,249.mn,267.mo,276.mp,358.79;0.0,33.ml,96.mm,120.k5,175.s,249.mn,250.3z,267.mo,276.mp,358.79;0.0,33.ml,97.mm,121.k5,176.s,250.mn,268.mo,277.mp,359.79
NA 0.0,80.s,88.5,91.6,121.mq,124.mr,129.2e,145.dc,238.9x,344.ms,359.e,360.79;0.0,79.s,107.5,110.6,120.mq,123.mr,124.3z,144.dc,145.3z,148.2e,237.9x,343.ms,358.e,359.79;0.0,79.s,92.5,95.6,120.mq,123.mr,133.2e,144.dc,237.9x,343.ms,358.e,359.79;0.0,79.s,80.3z,84.5,87.6,120.mq,123.mr,125.2e,144.dc,237.9x,343.ms,358.e,359.79,360.3z;0.0,80.s,104.5,107.6,121.mq,124.mr,145.dc,238.9x,344.ms,345.3z,359.e,360.79;0.0,79.s,88.5,91.6,120.mq,123.mr,129.2e,144.dc,237.9x,238.3z,343.ms,358.e,359.79;0.0,79.s,108.5,111.6,120.mq,123.mr,144.dc,149.2e,237.9x,343.ms,358.e,359.79;0.0,79.s,100.5,103.6,120.mq,123.mr,124.3z,141.2e,144.dc,145.3z,237.9x,343.ms,358.e,359.79;0.0,80.s,81.3z,85.5,88.6,121.mq,124.mr,126.2e,145.dc,238.9x,344.ms,359.e,360.79,361.3z
NC 0.mt,91.6,121.7,128.3s,129.2e,140.8,195.4l,227.9,267.mu,305.b,315.48,359.e;0.mt,110.6,120.7,127.3s,148.2e,159.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,267.mu,305.b,315.48,359.e;0.mt,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,266.mu,304.b,314.48,358.e;0.mt,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,267.mu,305.b,315.48,359.e
NE 0.0,91.6,95@1080.90,96.90,99@1080.l,100.l,114.mv,121.7,166@1080.m,167.m,187@1080.n,188.n,215.s,257@1080.o,258.o,352.1n,359.e;0.0,84@1080.90,85.90,87@1080.l,88.l,110.6,113.mv,120.7,155@1080.m,156.m,175@1080.n,176.n,214.s,245@1080.o,246.o,351.1n,358.e;0.0,73@1080.90,74.90,77@1080.l,78.l,95.6,113.mv,120.7,145@1080.m,146.m,165@1080.n,166.n,214.s,235@1080.o,236.o,351.1n,358.e;0.0,63@1080.90,64.90,66@1080.l,67.l,87.6,113.mv,120.7,134@1080.m,135.m,155@1080.n,156.n,214.s,224@1080.o,225.o,351.1n,358.e;0.0,52@1080.90,53.90,55@1080.l,56.l,107.6,114.mv,121.7,124@1080.m,125.m,144@1080.n,145.n,214@1080.o,215.o,352.1n,359.e;0.0,40@1080.90,41.90,43@1080.l,44.l,91.6,112@1080.m,113.m,120.7,132@1080.n,133.n,203@1080.o,204.o,214.s,351.1n,358.e;0.0,29@1080.90,30.90,33@1080.l,34.l,101@1080.m,102.m,111.6,113.mv,120.7,121@1080.n,122.n,192@1080.o,193.o,214.s,351.1n,358.e;0.0,19@1080.90,20.90,22@1080.l,23.l,90@1080.m,91.m,103.6,111@1080.n,112.n,113.mv,120.7,181@1080.o,182.o,214.s,351.1n,358.e;0.0,8@1080.90,9.90,12@1080.l,13.l,80@1080.m,81.m,88.6,100@1080.n,101.n,114.mv,121.7,170@1080.o,171.o,215.s,352.1n,359.e,363@1080.90,364.90
NF 0.0,25.2h,65.hq,88.5,91.6,115.2k,161.mw,168.2n,287.mx,331.2a,359.e,360.f;0.0,26.2h,64.hq,107.5,110.6,114.2k,159.mw,166.2n,285.mx,329.2a,358.e,359.f;0.0,25.2h,64.hq,92.5,95.6,114.2k,158.mw,165.2n,284.mx,328.2a,358.e,359.f,361.u;0.0,25.2h,64.hq,66.hq,84.5,87.6,114.2k,158.mw,164.2n,283.mx,327.2a,358.e,359.f,360.1g,361.u;0.0,2.0,25.2h,65.hq,104.5,107.6,115.2k,159.mw,163.2n,282.mx,333.2a,359.e,360.f;0.0,25.2h,64.hq,88.5,91.6,114.2k,158.mw,161.2n,280.mx,331.2a,358.e,359.f;0.0,27.2h,64.hq,108.5,111.6,114.2k,160.mw,167.2n,286.mx,330.2a,358.e,359.f;0.0,26.2h,64.hq,100.5,103.6,114.2k,159.mw,166.2n,285.mx,329.2a,358.e,359.f;0.0,25.2h,65.hq,67.hq,85.5,88.6,115.2k,159.mw,165.2n,284.mx,328.2a,359.e,360.f,361.1g,362.u
NG 0.0,88.5,91.6,99@1080.my,100.my,101.my,121.mz,147.9h,163.9w,166@1080.n0,167.n0,168.n0,187@1080.n,188.n,257@1080.o,258.o,274.s,305.n1,359.e,360.f;0.0,87@1080.my,88.my,89.my,107.5,110.6,120.mz,146.9h,155@1080.n0,156.n0,157.n0,162.9w,175@1080.n,176.n,245@1080.o,246.o,273.s,304.n1,358.e,359.f;0.0,77@1080.my,78.my,79.my,92.5,95.6,120.mz,145@1080.n0,146.n0,147.n0,162.9w,165@1080.n,166.n,235@1080.o,236.o,273.s,304.n1,358.e,359.f;0.0,66@1080.my,67.my,68.my,84.5,87.6,120.mz,122.n2,134@1080.n0,135.n0,136.n0,146.9h,155@1080.n,156.n,162.9w,164.n3,224@1080.o,225.o,273.s,304.n1,358.e,359.f;0.0,55@1080.my,56.my,57.my,104.5,107.6,121.mz,124@1080.n0,125.n0,126.n0,144@1080.n,145.n,147.9h,163.9w,214@1080.o,215.o,274.s,305.n1,359.e,360.f;0.0,43@1080.my,44.my,45.my,88.5,91.6,112@1080.n0,113.n0,114.n0,120.mz,132@1080.n,133.n,146.9h,162.9w,203@1080.o,204.o,273.s,304.n1,358.e,359.f;0.0,33@1080.my,34.my,35.my,101@1080.n0,102.n0,103.n0,108.5,111.6,120.mz,121@1080.n,122.n,146.9h,162.9w,192@1080.o,193.o,273.s,304.n1,358.e,359.f;0.0,22@1080.my,23.my,24.my,90@1080.n0,91.n0,92.n0,100.5,103.6,111@1080.n,112.n,120.mz,146.9h,162.9w,181@1080.o,182.o,273.s,304.n1,358.e,359.f;0.0,12@1080.my,13.my,14.my,80@1080.n0,81.n0,82.n0,85.5,88.6,100@1080.n,101.n,121.mz,123.n2,147.9h,163.9w,165.n3,170@1080.o,171.o,274.s,305.n1,359.e,360.f
NI 0.0,87.4,88.5,121.7,152.9h,200.an,257.n4,258.s,285.n5,342.c,359.e;0.0,106.4,107.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,91.4,92.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,83.4,84.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,103.4,104.5,121.7,152.9h,200.an,257.n4,258.s,285.n5,342.c,359.e;0.0,87.4,88.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,107.4,108.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,99.4,100.5,120.7,151.9h,199.an,256.n4,257.s,284.n5,341.c,358.e;0.0,84.4,85.5,121.7,152.9h,200.an,257.n4,258.s,285.n5,342.c,359.e
NL 0.0,90.2j,91.6,117.n6,129.2e,139.3w,140.8,359.e,360.f,365.1o;0.0,109.2j,110.6,115.n6,148.2e,158.3w,159.8,358.e,359.f,364.1o;0.0,94.2j,95.6,116.n6,133.2e,143.3w,144.8,358.e,359.f,364.1o;0.0,86.2j,87.6,116.n6,125.2e,135.3w,136.8,358.e,359.f,364.1o;0.0,106.2j,107.6,117.n6,145.2e,155.3w,156.8,359.e,360.f,365.1o;0.0,90.2j,91.6,116.n6,129.2e,139.3w,140.8,358.e,359.f,364.1o;0.0,110.2j,111.6,116.n6,149.2e,159.3w,160.8,358.e,359.f,364.1o;0.0,102.2j,103.6,115.n6,141.2e,151.3w,152.8,358.e,359.f,364.1o;0.0,87.2j,88.6,117.n6,126.2e,136.3w,137.8,359.e,360.f,365.1o
NL-GR ;;;;;;;;
NL-GR-GRN ;;;;;;;;
NL-NH ;;;;;;;;
NL-NH-ALK ;;;;;;;;
NL-ZH ;;;;;;;;
NL-ZH-BRL ;;;;;;;;
NL-ZH-LDN ;;;;;;;;
NO 0.0,87.4,88.5,90.2j,91.6,121.7,129.2e,137.3,139.3w,140.8,358.d,359.e,360.f,365@840.1o;0.0,106.4,107.5,109.2j,110.6,120.7,136.3,148.2e,158.3w,159.8,357.d,358.e,359.f,364@840.1o;0.0,91.4,92.5,94.2j,95.6,120.7,133.2e,136.3,143.3w,144.8,357.d,358.e,359.f,364@840.1o;0.0,83.4,84.5,86.2j,87.6,120.7,125.2e,135.3w,136.3,357.d,358.e,359.f,364@840.1o;0.0,103.4,104.5,106.2j,107.6,121.7,137.3,145.2e,155.3w,156.8,358.d,359.e,360.f,365.1o;0.0,87.4,88.5,90.2j,91.6,120.7,129.2e,136.3,139.3w,140.8,357.d,358.e,359.f,364@840.1o;0.0,107.4,108.5,110.2j,111.6,120.7,136.3,149.2e,159.3w,160.8,357.d,358.e,359.f,364@840.1o;0.0,99.4,100.5,102.2j,103.6,120.7,136.3,141.2e,151.3w,152.8,357.d,358.e,359.f,364@840.1o;0.0,84.4,85.5,87.2j,88.6,121.7,126.2e,136.3w,137.3,358.d,359.e,360.f,365@840.1o
NZ 0.0,1.92,36.n7,88.5,91.6,115.n8,154.2n,179.n9,301.7,359.e,360.f;0.0,1.92,36.n7,107.5,110.6,114.n8,152.2n,170.n9,299.7,358.e,359.f;0.0,1.92,36.n7,92.5,95.6,114.n8,116.na,151.2n,190.n9,298.7,358.e,359.f,361.u;0.0,1.92,3.98,36.n7,38.nb,84.5,87.6,114.n8,115.na,157.2n,175.n9,297.7,358.e,359.f,360.1g,361.u;0.0,1.92,2.1h,3.98,36.n7,37.nb,104.5,107.6,115.n8,156.2n,195.n9,296.7,359.e,360.f;0.0,1.92,36.n7,88.5,91.6,114.n8,154.2n,186.n9,294.7,358.e,359.f;0.0,1.92,36.n7,108.5,111.6,114.n8,153.2n,171.n9,300.7,358.e,359.f;0.0,1.92,36.n7,100.5,103.6,114.n8,152.2n,191.n9,299.7,358.e,359.f;0.0,1.92,36.n7,85.5,88.6,115.n8,116.na,158.2n,183.n9,298.7,359.e,360.f,361.1g,362.u
NZ-AUK 28.nc;26.nc;25.nc;31.nc;30.nc;28.nc;27.nc;26.nc;25.nc
NZ-BOP 28.nc;26.nc;25.nc;31.nc;30.nc;28.nc;27.nc;26.nc;25.nc
NZ-CAN 319.nd;317.nd;316.nd;315.nd;321.nd;319.nd;318.nd;317.nd;316.nd
NZ-CAN-Timaru ;;;;;;;;
NZ-CIT 336.nc;334.nc;333.nc;332.nc;331.nc;336.nc;335.nc;334.nc;333.nc
NZ-GIS 28.nc;26.nc;25.nc;31.nc;30.nc;28.nc;27.nc;26.nc;25.nc
NZ-HKB 298.nc;296.nc;295.nc;294.nc;293.nc;291.nc;297.nc;296.nc;295.nc
NZ-MBH 308.nc;306.nc;305.nc;304.nc;303.nc;301.nc;307.nc;306.nc;305.nc
NZ-MWT 21.nc;19.nc;18.nc;24.nc;23.nc;21.nc;20.nc;19.nc;18.nc
NZ-NSN 28.nc;33.nc;32.nc;31.nc;30.nc;28.nc;34.nc;33.nc;32.nc
NZ-NTL 28.nc;26.nc;25.nc;31.nc;30.nc;28.nc;27.nc;26.nc;25.nc
NZ-OTA 84.nc;82.nc;81.nc;80.nc;79.nc;84.nc;83.nc;82.nc;81.nc
NZ-STL 92.nc;111.nc;96.nc;88.nc;108.nc;92.nc;112.nc;104.nc;89.nc
NZ-TAS 28.nc;33.nc;32.nc;31.nc;30.nc;28.nc;34.nc;33.nc;32.nc
NZ-TKI 70.nc;68.nc;67.nc;66.nc;72.nc;70.nc;69.nc;68.nc;67.nc
NZ-WKO 28.nc;26.nc;25.nc;31.nc;30.nc;28.nc;27.nc;26.nc;25.nc
NZ-WGN 21.nc;19.nc;18.nc;24.nc;23.nc;21.nc;20.nc;19.nc;18.nc
NZ-WTC 336.nc;334.nc;333.nc;332.nc;338.nc;336.nc;335.nc;334.nc;333.nc
NZ-WTC-Buller ;;;;;;;;
PA 0.0,8.b2,43.2,88.5,121.7,182.ne,307.nf,308.ng,309.nh,314.ni,315.nj,332.s,342.1l,343.lq,354.45,359.e;0.0,8.b2,62.2,107.5,120.7,306.nf,308.nh,313.ni,331.s,341.1l,353.45,358.e;0.0,8.b2,47.2,92.5,120.7,306.nf,308.nh,313.ni,331.s,341.1l,353.45,354.nk,358.e;0.0,8.b2,39.2,84.5,120.7,306.nf,308.nh,313.ni,331.s,332.1e,341.1l,353.45,358.e;0.0,8.b2,9.nl,59.2,104.5,121.7,307.nf,309.nh,310.nm,314.ni,332.s,342.1l,354.45,359.e;0.0,8.b2,43.2,88.5,120.7,181.ne,306.nf,308.nh,313.ni,331.s,341.1l,353.45,358.e;0.0,8.b2,63.2,108.5,120.7,306.nf,307.ng,308.nh,313.ni,314.nj,331.s,341.1l,342.lq,353.45,358.e;0.0,8.b2,55.2,100.5,120.7,306.nf,308.nh,313.ni,331.s,341.1l,353.45,358.e;0.0,8.b2,40.2,85.5,121.7,307.nf,309.nh,314.ni,332.s,333.1e,342.1l,354.45,359.e
PE 0.0,87.4,88.5,90.2j,121.7,158.nn,180.8r,204.no,209.s,210.s,218.np,242.nq,281.nr,305.b,342.c,343.ns,359.e;0.0,106.4,107.5,109.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,91.4,92.5,94.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,83.4,84.5,86.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,103.4,104.5,106.2j,121.7,158.nn,180.8r,204.no,209.s,210.s,218.np,242.nq,281.nr,305.b,342.c,343.ns,359.e;0.0,87.4,88.5,90.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,107.4,108.5,110.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,99.4,100.5,102.2j,120.7,157.nn,179.8r,203.no,208.s,209.s,217.np,241.nq,280.nr,304.b,341.c,342.ns,358.e;0.0,84.4,85.5,87.2j,121.7,158.nn,180.8r,204.no,209.s,210.s,218.np,242.nq,281.nr,305.b,342.c,343.ns,359.e
PE-CUS ;;;;;;;;
PF 0.0,64.nt,88.5,91.6,121.7,128.3s,129.2e,140.8,180.nu,195.4l,227.9,305.b,315.48,359.e;0.0,63.nt,107.5,110.6,120.7,127.3s,148.2e,159.8,179.nu,194.4l,226.9,304.b,314.48,358.e;0.0,63.nt,92.5,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,304.b,314.48,323.nv,358.e;0.0,63.nt,84.5,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,304.b,314.48,323.nv,358.e;0.0,64.nt,104.5,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,305.b,315.48,324.nv,359.e;0.0,63.nt,88.5,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,304.b,314.48,323.nv,358.e;0.0,63.nt,108.5,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,304.b,314.48,323.nv,358.e;0.0,63.nt,100.5,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,304.b,314.48,323.nv,358.e;0.0,64.nt,85.5,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,305.b,315.48,324.nv,359.e
PH 0.0,87.4,88.5,90.2j,99.nw,100.l,121.7,163.s,166@1080.m,167.m,238.71,334.nx,359.e,364.ny;0.0,87@1080.l,88.l,98.nw,106.4,107.5,109.2j,120.7,155@1080.m,156.m,162.s,236.71,333.nx,358.e,363.ny;0.0,77@1080.l,78.l,91.4,92.5,94.2j,98.nw,120.7,145@1080.m,146.m,162.s,242.71,333.nx,358.e,363.ny;0.0,66@1080.l,67.l,83.4,84.5,86.2j,98.nw,120.7,134@1080.m,135.m,162.s,241.71,333.nx,358.e,363.ny;0.0,55@1080.l,56.l,99.nw,103.4,104.5,106.2j,121.7,124@1080.m,125.m,163.s,240.71,334.nx,359.e,364.ny;0.0,43@1080.l,44.l,87.4,88.5,90.2j,98.nw,112@1080.m,113.m,120.7,162.s,238.71,333.nx,358.e,363.ny;0.0,33@1080.l,34.l,98.nw,101@1080.m,102.m,107.4,108.5,110.2j,120.7,162.s,237.71,333.nx,358.e,363.ny;0.0,22@1080.l,23.l,90@1080.m,91.m,98.nw,99.4,100.5,102.2j,120.7,162.s,236.71,333.nx,358.e,363.ny;0.0,12@1080.l,13.l,80@1080.m,81.m,84.4,85.5,87.2j,99.nw,121.7,163.s,242.71,334.nx,359.e,364.ny
PK 35.nz,82.o0,99@1080.l,100.l,101.l,102.l,121.7,148.o1,166@1080.m,167.m,168.m,169.m,195@1080.o2,196.o2,197.o2,226.s,257@1080.o,258.o,313.o3,359.o4;35.nz,81.o0,87@1080.l,88.l,89.l,90.l,120.7,147.o1,155@1080.m,156.m,157.m,158.m,183@1080.o2,184.o2,185.o2,225.s,245@1080.o,246.o,312.o3,358.o4;35.nz,77@1080.l,78.l,79.l,80.l,81.o0,120.7,145@1080.m,146.m,147.m,148.m,173@1080.o2,174.o2,175.o2,225.s,235@1080.o,236.o,312.o3,358.o4;35.nz,66@1080.l,67.l,68.l,69.l,81.o0,120.7,134@1080.m,135.m,136.m,137.m,147.o1,163@1080.o2,164.o2,165.o2,224@1080.o,225.o,312.o3,358.o4;35.nz,55@1080.l,56.l,57.l,58.l,82.o0,121.7,124@1080.m,125.m,126.m,127.m,148.o1,152@1080.o2,153.o2,154.o2,214@1080.o,215.o,226.s,313.o3,359.o4;35.nz,43@1080.l,44.l,45.l,46.l,81.o0,112@1080.m,113.m,114.m,115.m,120.7,140@1080.o2,141.o2,142.o2,147.o1,203@1080.o,204.o,225.s,312.o3,358.o4;33@1080.l,34.l,35.l,36.l,81.o0,101@1080.m,102.m,103.m,104.m,120.7,129@1080.o2,130.o2,131.o2,147.o1,192@1080.o,193.o,225.s,312.o3,358.o4;22@1080.l,23.l,24.l,25.l,35.nz,81.o0,90@1080.m,91.m,92.m,93.m,119@1080.o2,120.o2,121.o2,147.o1,181@1080.o,182.o,225.s,312.o3,358.o4;12@1080.l,13.l,14.l,15.l,35.nz,80@1080.m,81.m,82.m,83.m,108@1080.o2,109.o2,110.o2,121.7,148.o1,170@1080.o,171.o,226.s,313.o3,359.o4
PK-BA ;;;;;;;;
PK-GB ;;;;;;;;
PK-IS ;;;;;;;;
PK-JK ;;;;;;;;
PK-KP ;;;;;;;;
PK-PB ;;;;;;;;
PK-SD ;;;;;;;;
PL 0.0,5.1,90.2j,91.6,121.7,123.3,139.3w,150.2f,227.9,305.b,315.s,359.e,360.f;0.0,5.1,109.2j,110.6,120.7,122.3,158.3w,169.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,94.2j,95.6,120.7,122.3,143.3w,154.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,86.2j,87.6,120.7,122.3,135.3w,146.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,106.2j,107.6,121.7,123.3,155.3w,166.2f,227.9,305.b,315.s,358.d,359.e,360.f;0.0,5.1,90.2j,91.6,120.7,122.3,139.3w,150.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,110.2j,111.6,120.7,122.3,159.3w,170.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,102.2j,103.6,120.7,122.3,151.3w,162.2f,226.9,304.b,314.s,357.d,358.e,359.f;0.0,5.1,87.2j,88.6,121.7,123.3,136.3w,147.2f,227.9,305.b,315.s,358.d,359.e,360.f
PM 0.0,91.6,121.7,128.3s,129.2e,140.8,195.4l,227.9,305.b,315.48,359.e;0.0,110.6,120.7,127.3s,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,304.b,314.48,358.e;0.0,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,304.b,314.48,358.e;0.0,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,304.b,314.48,358.e;0.0,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,305.b,315.48,359.e
PR 0.0,5.1,7.o5,14.23,48.o6,49.24,61.o7,81.3x,106.o8,147.26,170.27,185.s,196.o9,206.oa,208.ob,245.7,287.28,315.29,323.oc,332.2a,359.e;0.0,5.1,12.o5,19.23,47.24,48.o6,60.o7,80.3x,105.o8,145.26,169.27,184.s,201.o9,205.oa,207.ob,243.7,285.28,314.29,322.oc,330.2a,358.e;0.0,5.1,11.o5,18.23,46.24,48.o6,60.o7,80.3x,105.o8,144.26,169.27,183.1e,184.s,200.o9,205.oa,207.ob,249.7,284.28,314.29,322.oc,329.2a,358.e;0.0,5.1,10.o5,17.23,45.24,48.o6,60.o7,80.3x,105.o8,150.26,168.2b,169.27,184.s,185.1e,199.o9,205.oa,207.ob,248.7,283.28,314.29,322.oc,328.2a,357.1g,358.e,364.1h;0.0,5.1,9.o5,16.23,48.o6,51.24,61.o7,81.3x,106.o8,149.26,170.27,185.s,198.o9,206.oa,208.ob,247.7,282.28,314.2c,315.29,323.oc,327.2a,359.e;0.0,5.1,7.o5,14.23,48.o6,49.24,60.o7,80.3x,105.o8,147.26,169.27,184.s,196.o9,205.oa,207.ob,245.7,280.28,314.29,315.2c,322.oc,325.2a,358.e;0.0,5.1,13.o5,20.23,48.o6,60.o7,80.3x,105.o8,146.26,169.27,184.s,195.o9,205.oa,207.ob,244.7,286.28,314.29,322.oc,331.2a,358.e;0.0,5.1,12.o5,19.23,47.24,48.o6,60.o7,80.3x,105.o8,145.26,169.27,184.s,201.o9,205.oa,207.ob,243.7,285.28,314.29,322.oc,330.2a,358.e;0.0,5.1,11.o5,18.23,46.24,48.o6,61.o7,81.3x,106.o8,151.26,169.2b,170.27,185.s,186.1e,200.o9,206.oa,208.ob,249.7,284.28,315.29,323.oc,329.2a,358.1g,359.e,365.1h
PT 0.0,88.5,90.2j,115.od,121.7,150.2f,161.oe,227.9,278.of,305.b,335.og,342.c,359.e;0.0,107.5,109.2j,114.od,120.7,160.oe,169.2f,226.9,277.of,304.b,334.og,341.c,358.e;0.0,92.5,94.2j,114.od,120.7,154.2f,160.oe,226.9,277.of,304.b,334.og,341.c,358.e;0.0,84.5,86.2j,114.od,120.7,146.2f,160.oe,226.9,277.of,304.b,334.og,341.c,358.e;0.0,104.5,106.2j,115.od,121.7,161.oe,166.2f,227.9,278.of,305.b,335.og,342.c,359.e;0.0,88.5,90.2j,114.od,120.7,150.2f,160.oe,226.9,277.of,304.b,334.og,341.c,358.e;0.0,108.5,110.2j,114.od,120.7,160.oe,170.2f,226.9,277.of,304.b,334.og,341.c,358.e;0.0,100.5,102.2j,114.od,120.7,160.oe,162.2f,226.9,277.of,304.b,334.og,341.c,358.e;0.0,85.5,87.2j,115.od,121.7,147.2f,161.oe,227.9,278.of,305.b,335.og,342.c,359.e
PY 0.0,60.9x,87.4,88.5,121.7,134.s,135.s,163.oh,227.9,272.oi,342.oj,359.e,365.1o;0.0,59.9x,106.4,107.5,120.7,133.s,134.s,162.oh,226.9,271.oi,341.oj,358.e,364.1o;0.0,59.9x,91.4,92.5,120.7,133.s,134.s,162.oh,180.ok,226.9,271.oi,341.oj,358.e,364.1o;0.0,59.9x,83.4,84.5,120.7,133.s,134.s,162.oh,226.9,271.oi,341.oj,358.e,364.1o;0.0,60.9x,103.4,104.5,121.7,134.s,135.s,163.oh,227.9,272.oi,342.oj,359.e,365.1o;0.0,59.9x,87.4,88.5,120.7,133.s,134.s,162.oh,226.9,271.oi,341.oj,358.e,364.1o;0.0,59.9x,107.4,108.5,120.7,133.s,134.s,162.oh,226.9,271.oi,341.oj,358.e,364.1o;0.0,59.9x,99.4,100.5,120.7,133.s,134.s,162.oh,226.9,271.oi,341.oj,358.e,364.1o;0.0,60.9x,84.4,85.5,121.7,134.s,135.s,163.oh,227.9,272.oi,342.oj,359.e,365.1o
RE 0.0,91.6,121.7,128.3s,129.2e,140.8,195.4l,227.9,305.b,315.48,354.4m,359.e;0.0,110.6,120.7,127.3s,148.2e,159.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,95.6,120.7,127.3s,133.2e,144.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,87.6,120.7,125.2e,127.3s,136.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,107.6,121.7,128.3s,145.2e,156.8,195.4l,227.9,305.b,315.48,354.4m,359.e;0.0,91.6,120.7,127.3s,129.2e,140.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,111.6,120.7,127.3s,149.2e,160.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,103.6,120.7,127.3s,141.2e,152.8,194.4l,226.9,304.b,314.48,353.4m,358.e;0.0,88.6,121.7,126.2e,128.3s,137.8,195.4l,227.9,305.b,315.48,354.4m,359.e
RO 0.0,1.0,5.1,6.ol,23.om,121.7,123.5,125.2j,126.6,152.9h,174.3w,175.8,227.9,334.on,335.9c,359.e,360.f;0.0,1.0,5.1,6.ol,23.om,107.5,109.2j,110.6,120.7,151.9h,158.3w,159.8,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,99.5,101.2j,102.6,120.7,150.3w,151.9h,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,119.5,120.7,121.2j,122.6,151.9h,170.3w,171.8,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,104.5,106.2j,107.6,121.7,152.9h,155.3w,156.8,227.9,334.on,335.9c,359.e,360.f;0.0,1.0,5.1,6.ol,23.om,95.5,97.2j,98.6,120.7,146.3w,147.8,151.9h,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,115.5,117.2j,118.6,120.7,151.9h,166.3w,167.8,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,100.5,102.2j,103.6,120.7,151.9h,152.8,226.9,333.on,334.9c,358.e,359.f;0.0,1.0,5.1,6.ol,23.om,120.5,121.7,122.2j,123.6,152.9h,171.3w,172.8,227.9,334.on,335.9c,359.e,360.f
RS 0.0,1.0,6.3l,45.3q,46.3q,121.7,122.7,123.b1,125.15,126.kv,315.48;0.0,1.0,6.3l,45.3q,47.3q,107.b1,109.15,110.kv,120.7,121.7,314.48;0.0,1.0,6.3l,46.3q,47.3q,99.b1,101.15,102.kv,120.7,121.7,314.48;0.0,1.0,6.3l,45.3q,46.3q,119.b1,120.7,121.15,122.kv,314.48;0.0,2.0,6.3l,45.3q,46.3q,104.b1,106.15,107.kv,121.7,122.7,315.48;0.0,1.0,6.3l,45.3q,46.3q,95.b1,97.15,98.kv,120.7,121.7,315.48;0.0,1.0,6.3l,45.3q,46.3q,115.b1,117.15,118.kv,120.7,121.7,314.48;0.0,1.0,6.3l,45.3q,47.3q,100.b1,102.15,103.kv,120.7,121.7,314.48;0.0,1.0,6.3l,46.3q,47.3q,120.b1,121.7,122.15,123.kv,315.48
RU 0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,67.1k,121.oo,129.3s,163.op,308.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,67.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,67.1k,121.oo,129.3s,163.op,308.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,66.1k,120.oo,128.3s,162.op,307.4g;0.0,1.11,2.11,3.11,4.11,5.11,6.e,7.11,53.j2,67.1k,121.oo,129.3s,163.op,308.4g
RU-AD 99@1080.oq,100.oq,134.or,166@1080.os,167.os,278.ot;87@1080.oq,88.oq,118.or,155@1080.os,156.os,277.ot;77@1080.oq,78.oq,110.or,145@1080.os,146.os,277.ot;67.oq,130.or,134@1080.os,135.os,277.ot;55@1080.oq,56.oq,115.or,124@1080.os,125.os,278.ot;43@1080.oq,44.oq,106.or,112@1080.os,113.os,277.ot;33@1080.oq,34.oq,101@1080.os,102.os,126.or,277.ot;22@1080.oq,23.oq,90@1080.os,91.os,111.or,277.ot;12@1080.oq,13.oq,80@1080.os,81.os,131.or,278.ot
RU-AL 184.ou;183.ou;183.ou;183.ou;184.ou;183.ou;183.ou;183.ou;184.ou
RU-BA 99@1080.oq,100.oq,166@1080.os,167.os,284.ov;87@1080.oq,88.oq,155@1080.os,156.os,283.ov;77@1080.oq,78.oq,145@1080.os,146.os,283.ov;67.oq,134@1080.os,135.os,283.ov;55@1080.oq,56.oq,124@1080.os,125.os,284.ov;43@1080.oq,44.oq,112@1080.os,113.os,283.ov;33@1080.oq,34.oq,101@1080.os,102.os,283.ov;22@1080.oq,23.oq,90@1080.os,91.os,283.ov;12@1080.oq,13.oq,80@1080.os,81.os,284.ov
RU-BEL 193.ow;192.ow;192.ow;192.ow;193.ow;192.ow;192.ow;192.ow;193.ow
RU-BRY ;;110.ox;;;;;;
RU-BU ;;48.oy;;;;;;
RU-CE 82.oz,99@1080.oq,100.oq,106.p0,166@1080.os,167.os;81.oz,87@1080.oq,88.oq,105.p0,155@1080.os,156.os;77@1080.oq,78.oq,81.oz,105.p0,145@1080.os,146.os;67.oq,81.oz,105.p0,134@1080.os,135.os;55@1080.oq,56.oq,82.oz,106.p0,124@1080.os,125.os;43@1080.oq,44.oq,81.oz,105.p0,112@1080.os,113.os;33@1080.oq,34.oq,81.oz,101@1080.os,102.os,105.p0;22@1080.oq,23.oq,81.oz,90@1080.os,91.os,105.p0;12@1080.oq,13.oq,80@1080.os,81.os,82.oz,106.p0
RU-CR 77.p1,99@1080.oq,100.oq,126.15,166@1080.os,167.os,175.p2;76.p1,87@1080.oq,88.oq,110.15,155@1080.os,156.os,159.p2;76.p1,77@1080.oq,78.oq,102.15,145@1080.os,146.os,151.p2;67.oq,76.p1,122.15,134@1080.os,135.os,171.p2;55@1080.oq,56.oq,77.p1,107.15,124@1080.os,125.os,156.p2;43@1080.oq,44.oq,76.p1,98.15,112@1080.os,113.os,147.p2;33@1080.oq,34.oq,76.p1,101@1080.os,102.os,118.15,167.p2;22@1080.oq,23.oq,76.p1,90@1080.os,91.os,103.15,152.p2;12@1080.oq,13.oq,77.p1,80@1080.os,81.os,123.15,172.p2
RU-CU 175.p3;174.p3;174.p3;174.p3;175.p3;174.p3;174.p3;174.p3;175.p3
RU-DA 99@1080.oq,100.oq,126.15,134.p4,166@1080.os,167.os,207.p5,258.p6;87@1080.oq,88.oq,110.15,118.p4,155@1080.os,156.os,206.p5,257.p6;77@1080.oq,78.oq,102.15,110.p4,145@1080.os,146.os,206.p5,257.p6;67.oq,122.15,130.p4,134@1080.os,135.os,206.p5,257.p6;55@1080.oq,56.oq,107.15,115.p4,124@1080.os,125.os,207.p5,258.p6;43@1080.oq,44.oq,98.15,106.p4,112@1080.os,113.os,206.p5,257.p6;33@1080.oq,34.oq,101@1080.os,102.os,118.15,126.p4,206.p5,257.p6;22@1080.oq,23.oq,90@1080.os,91.os,103.15,111.p4,206.p5,257.p6;12@1080.oq,13.oq,80@1080.os,81.os,123.15,131.p4,207.p5,258.p6
RU-IN 99@1080.p7,100.p7,166@1080.p8,167.p8;87@1080.p7,88.p7,155@1080.p8,156.p8;77@1080.p7,78.p7,145@1080.p8,146.p8;67.p7,134@1080.p8,135.p8;55@1080.p7,56.p7,124@1080.p8,125.p8;43@1080.p7,44.p7,112@1080.p8,113.p8;33@1080.p7,34.p7,101@1080.p8,102.p8;22@1080.p7,23.p7,90@1080.p8,91.p8;12@1080.p7,13.p7,80@1080.p8,81.p8
RU-IRK ;;110.p9;;;;;;
RU-KB 87.pa,99@1080.oq,100.oq,134.p4,141.pb,166@1080.os,167.os,244.pc,263.pd;86.pa,87@1080.oq,88.oq,118.p4,140.pb,155@1080.os,156.os,243.pc,262.pd;77@1080.oq,78.oq,86.pa,110.p4,140.pb,145@1080.os,146.os,243.pc,262.pd;67.oq,86.pa,130.p4,134@1080.os,135.os,140.pb,243.pc,262.pd;55@1080.oq,56.oq,87.pa,115.p4,124@1080.os,125.os,141.pb,244.pc,263.pd;43@1080.oq,44.oq,86.pa,106.p4,112@1080.os,113.os,140.pb,243.pc,262.pd;33@1080.oq,34.oq,86.pa,101@1080.os,102.os,126.p4,140.pb,243.pc,262.pd;22@1080.oq,23.oq,86.pa,90@1080.os,91.os,111.p4,140.pb,243.pc,262.pd;12@1080.oq,13.oq,80@1080.os,81.os,87.pa,131.p4,141.pb,244.pc,263.pd
RU-KC 99@1080.oq,100.oq,123.pe,134.or,166@1080.os,167.os;87@1080.oq,88.oq,118.or,122.pe,155@1080.os,156.os;77@1080.oq,78.oq,110.or,122.pe,145@1080.os,146.os;67.oq,122.pe,130.or,134@1080.os,135.os;55@1080.oq,56.oq,115.or,123.pe,124@1080.os,125.os;43@1080.oq,44.oq,106.or,112@1080.os,113.os,122.pe;33@1080.oq,34.oq,101@1080.os,102.os,122.pe,126.or;22@1080.oq,23.oq,90@1080.os,91.os,111.or,122.pe;12@1080.oq,13.oq,80@1080.os,81.os,123.pe,131.or
RU-KDA ;;110.pf;;;;;;
RU-KL 186.pg,359.ph,362.pi;185.pg,347.ph,361.pi;48.pj,150.pk,185.pg,361.pi;185.pg,361.pi;186.pg,362.pi;185.pg,361.pi;185.pg,361.pi;185.pg,361.pi;186.pg,362.pi
RU-KO 234.pl;233.pl;233.pl;233.pl;234.pl;233.pl;233.pl;233.pl;234.pl
RU-KR 159.pm;158.pm;158.pm;158.pm;159.pm;158.pm;158.pm;158.pm;159.pm
RU-MR ;;216.pn;;;;;;
RU-NO ;;326.po;;;;;;
RU-OMS ;;110.ox;;;;;;
RU-PNZ ;;110.pp;;;;;;
RU-SA 117.pq,172.pr;116.pq,171.pr;116.pq,171.pr;116.pq,171.pr;117.pq,172.pr;116.pq,171.pr;116.pq,171.pr;116.pq,171.pr;117.pq,172.pr
RU-SAR ;;110.ox;;;;;;
RU-SEV 77.ps,165.pt;76.ps,164.pt;76.ps,164.pt;76.ps,164.pt;77.ps,165.pt;76.ps,164.pt;76.ps,164.pt;76.ps,164.pt;77.ps,165.pt
RU-STA ;;110.pf;;;;;;
RU-TA 99@1080.oq,100.oq,166@1080.os,167.os,242.pu,310.pv;87@1080.oq,88.oq,155@1080.os,156.os,241.pu,309.pv;77@1080.oq,78.oq,145@1080.os,146.os,241.pu,309.pv;67.oq,134@1080.os,135.os,241.pu,309.pv;55@1080.oq,56.oq,124@1080.os,125.os,242.pu,310.pv;43@1080.oq,44.oq,112@1080.os,113.os,241.pu,309.pv;33@1080.oq,34.oq,101@1080.os,102.os,241.pu,309.pv;22@1080.oq,23.oq,90@1080.os,91.os,241.pu,309.pv;12@1080.oq,13.oq,80@1080.os,81.os,242.pu,310.pv
RU-TY 40.pw,126.px,200.py,227.pz;59.pw,125.px,198.py,226.pz;48.pw,127.px,204.py,226.pz;226.pz;227.pz;226.pz;226.pz;226.pz;227.pz
RU-ZAB ;;48.oy;;;;;;
RW 0.0,1.3z,31.dx,88.5,91.6,97.q0,99@1080.l,100.l,121.7,166@1080.m,167.m,182.s,185.18,214.q1,227.9,359.e,360.f;0.0,1.3z,31.dx,87@1080.l,88.l,96.q0,107.5,110.6,120.7,155@1080.m,156.m,181.s,184.18,212.q1,226.9,358.e,359.f;0.0,1.3z,31.dx,77@1080.l,78.l,92.5,95.6,96.q0,120.7,145@1080.m,146.m,181.s,184.18,218.q1,226.9,358.e,359.f;0.0,1.3z,31.dx,66@1080.l,67.l,84.5,87.6,96.q0,120.7,134@1080.m,135.m,181.s,184.18,217.q1,226.9,358.e,359.f;0.0,1.3z,31.dx,55@1080.l,56.l,97.q0,104.5,107.6,121.7,124@1080.m,125.m,182.s,185.18,216.q1,227.9,359.e,360.f;0.0,1.3z,31.dx,43@1080.l,44.l,88.5,91.6,96.q0,112@1080.m,113.m,120.7,181.s,184.18,214.q1,226.9,358.e,359.f;0.0,1.3z,31.dx,33@1080.l,34.l,96.q0,101@1080.m,102.m,108.5,111.6,120.7,181.s,184.18,213.q1,226.9,358.e,359.f;0.0,1.3z,22@1080.l,23.l,31.dx,90@1080.m,91.m,96.q0,100.5,103.6,120.7,181.s,184.18,212.q1,226.9,358.e,359.f;0.0,1.3z,12@1080.l,13.l,31.dx,80@1080.m,81.m,85.5,88.6,97.q0,121.7,182.s,185.18,218.q1,227.9,359.e,360.f
SA 52.q2,98@1080.l,99.l,100.l,101.l,102.l,165@1080.m,166.m,167.m,168.m,169.m,266.p;52.q2,87@1080.l,88.l,89.l,90.l,91.l,154@1080.m,155.m,156.m,157.m,158.m,265.p;52.q2,76@1080.l,77.l,78.l,79.l,80.l,144@1080.m,145.m,146.m,147.m,148.m,265.p;52.q2,66@1080.l,67.l,68.l,69.l,70.l,133@1080.m,134.m,135.m,136.m,137.m,265.p;52.q2,55@1080.l,56.l,57.l,58.l,59.l,123@1080.m,124.m,125.m,126.m,127.m,266.p;43@1080.l,44.l,45.l,46.l,47.l,52.q2,111@1080.m,112.m,113.m,114.m,115.m,265.p;32@1080.l,33.l,34.l,35.l,36.l,52.q2,100@1080.m,101.m,102.m,103.m,104.m,265.p;22@1080.l,23.l,24.l,25.l,26.l,52.q2,89@1080.m,90.m,91.m,92.m,93.m,265.p;11@1080.l,12.l,13.l,14.l,15.l,52.q2,79@1080.m,80.m,81.m,82.m,83.m,266.p
SC 0.0,1.0,88.5,89.2i,90.2j,91.6,121.7,150.2f,169.2g,180.s,227.9,305.b,342.c,359.e;0.0,1.0,107.5,108.2i,109.2j,110.6,120.7,168.2g,169.2f,179.s,226.9,304.b,341.c,358.e;0.0,1.0,92.5,93.2i,94.2j,95.6,120.7,154.2f,168.2g,179.s,226.9,304.b,341.c,358.e;0.0,1.0,84.5,85.2i,86.2j,87.6,120.7,146.2f,168.2g,179.s,226.9,304.b,341.c,358.e;0.0,1.0,104.5,105.2i,106.2j,107.6,121.7,166.2f,169.2g,180.s,227.9,305.b,342.c,359.e;0.0,1.0,88.5,89.2i,90.2j,91.6,120.7,150.2f,168.2g,179.s,226.9,304.b,341.c,358.e;0.0,1.0,108.5,109.2i,110.2j,111.6,120.7,168.2g,170.2f,179.s,226.9,304.b,341.c,358.e;0.0,1.0,100.5,101.2i,102.2j,103.6,120.7,162.2f,168.2g,179.s,226.9,304.b,341.c,358.e;0.0,1.0,85.5,86.2i,87.2j,88.6,121.7,147.2f,169.2g,180.s,227.9,305.b,342.c,359.e
SD 0.s,6.q3,99@1080.l,100.l,101.l,102.l,103.l,125.q4,166@1080.m,167.m,168.m,169.m,187@1080.n,188.n,257@1080.o,258.o,353.an,359.e;0.s,6.q3,87@1080.l,88.l,89.l,90.l,91.l,109.q4,155@1080.m,156.m,157.m,158.m,175@1080.n,176.n,245@1080.o,246.o,352.an,358.e;0.s,6.q3,77@1080.l,78.l,79.l,80.l,81.l,101.q4,145@1080.m,146.m,147.m,148.m,165@1080.n,166.n,235@1080.o,236.o,352.an,358.e;0.s,6.q3,66@1080.l,67.l,68.l,69.l,70.l,121.q4,134@1080.m,135.m,136.m,137.m,155@1080.n,156.n,224@1080.o,225.o,352.an,358.e;0.s,6.q3,55@1080.l,56.l,57.l,58.l,59.l,106.q4,124@1080.m,125.m,126.m,127.m,144@1080.n,145.n,214@1080.o,215.o,353.an,359.e;0.s,6.q3,43@1080.l,44.l,45.l,46.l,47.l,97.q4,112@1080.m,113.m,114.m,115.m,132@1080.n,133.n,203@1080.o,204.o,352.an,358.e;0.s,6.q3,33@1080.l,34.l,35.l,36.l,37.l,101@1080.m,102.m,103.m,104.m,117.q4,121@1080.n,122.n,192@1080.o,193.o,352.an,358.e;0.s,6.q3,22@1080.l,23.l,24.l,25.l,26.l,90@1080.m,91.m,92.m,93.m,102.q4,111@1080.n,112.n,181@1080.o,182.o,352.an,358.e;0.s,6.q3,12@1080.l,13.l,14.l,15.l,16.l,80@1080.m,81.m,82.m,83.m,100@1080.n,101.n,122.q4,170@1080.o,171.o,353.an,359.e
SE 0.0,5.1,88.5,90.2j,91.6,121.7,129.2e,139.3w,157.p,172.32,173.33,306.b,358.d,359.e,360.f,365.1o;0.0,5.1,107.5,109.2j,110.6,120.7,148.2e,156.p,158.3w,170.32,171.33,304.b,357.d,358.e,359.f,364.1o;0.0,5.1,92.5,94.2j,95.6,120.7,133.2e,143.3w,156.p,169.32,170.33,303.b,357.d,358.e,359.f,364.1o;0.0,5.1,84.5,86.2j,87.6,120.7,125.2e,135.3w,156.p,175.32,176.33,309.b,357.d,358.e,359.f,364.1o;0.0,5.1,104.5,106.2j,107.6,121.7,145.2e,155.3w,157.p,174.32,175.33,308.b,358.d,359.e,360.f,365.1o;0.0,5.1,88.5,90.2j,91.6,120.7,129.2e,139.3w,156.p,172.32,173.33,306.b,357.d,358.e,359.f,364.1o;0.0,5.1,108.5,110.2j,111.6,120.7,149.2e,156.p,159.3w,171.32,172.33,305.b,357.d,358.e,359.f,364.1o;0.0,5.1,100.5,102.2j,103.6,120.7,141.2e,151.3w,156.p,170.32,171.33,304.b,357.d,358.e,359.f,364.1o;0.0,5.1,85.5,87.2j,88.6,121.7,126.2e,136.3w,157.p,176.32,177.33,310.b,358.d,359.e,360.f,365.1o
SG 0.0,40.4r,41.4r,42.7x,88.5,99@1080.80,100.80,121.7,142.f4,166@1080.81,167.81,221.p,304.e5,359.e;0.0,28.4r,29.4r,89.80,107.5,120.7,131.f4,157.81,220.p,292.e5,358.e;0.0,47.4r,48.4r,79.80,92.5,120.7,145@1080.81,146.81,150.f4,151.f4,220.p,221.q5,311.e5,312.e5,358.e;0.0,36.4r,37.4r,38.7x,66@1080.80,67.80,84.5,120.7,134@1080.81,135.81,220.p,300.e5,358.e;0.0,25.4r,26.4r,55@1080.80,56.80,104.5,121.7,124@1080.81,125.81,221.p,319.e5,359.e;0.0,43.4r,44.80,88.5,112@1080.81,113.81,120.7,220.p,308.e5,358.e;0.0,33.4r,34.80,35.7x,101@1080.81,102.81,108.5,120.7,220.p,297.e5,358.e;0.0,22.4r,23.80,90@1080.81,91.81,100.5,120.7,220.p,358.e;0.0,12@1080.80,13.80,41.4r,42.4r,80@1080.81,81.81,85.5,121.7,221.p,359.e
SH 0.0,88.5,91.6,105.93,140.8,141.q6,238.q7,359.e,360.f;0.0,107.5,110.6,140.q6,159.8,236.q7,358.e,359.f;0.0,92.5,95.6,109.93,140.q6,144.8,242.q7,358.e,359.f,361.u;0.0,84.5,87.6,108.93,136.8,140.q6,241.q7,358.e,359.f,360.u,361.1g;0.0,2.1h,104.5,107.6,141.q6,156.8,240.q7,359.e,360.f;0.0,88.5,91.6,105.93,140.q6,238.q7,358.e,359.f;0.0,104.93,108.5,111.6,140.q6,160.8,237.q7,358.e,359.f;0.0,100.5,103.6,110.93,140.q6,152.8,236.q7,358.e,359.f;0.0,85.5,88.6,109.93,137.8,141.q6,242.q7,359.e,360.f,361.u,362.1g
SH-AC 129.2e;148.2e;133.2e;125.2e;145.2e;129.2e;149.2e;141.2e;126.2e
SH-HL ;;;;;;;;
SH-TA !238.q7,129.2e,226.q8;!236.q7,148.2e,225.q8;!242.q7,133.2e,225.q8;!241.q7,125.2e,225.q8;!240.q7,145.2e,226.q8;!238.q7,129.2e,225.q8;!237.q7,149.2e,225.q8;!236.q7,141.2e,225.q8;!242.q7,126.2e,226.q8
SI 0.0,1.0,38.q9,90.2j,91.6,117.qa,121.7,122.7,139.3w,176.3q,227.9,304.9d,305.qb,359.e,360.qc;0.0,1.0,38.q9,109.2j,110.6,116.qa,120.7,121.7,158.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,94.2j,95.6,116.qa,120.7,121.7,143.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,86.2j,87.6,116.qa,120.7,121.7,135.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,106.2j,107.6,117.qa,121.7,122.7,155.3w,176.3q,227.9,304.9d,305.qb,359.e,360.qc;0.0,1.0,38.q9,90.2j,91.6,116.qa,120.7,121.7,139.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,110.2j,111.6,116.qa,120.7,121.7,159.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,102.2j,103.6,116.qa,120.7,121.7,151.3w,175.3q,226.9,303.9d,304.qb,358.e,359.qc;0.0,1.0,38.q9,87.2j,88.6,117.qa,121.7,122.7,136.3w,176.3q,227.9,304.9d,305.qb,359.e,360.qc
SJ 0.0,87.4,88.5,90.2j,91.6,121.7,129.2e,137.3,139.3w,140.8,358.d,359.e,360.f,365@840.1o;0.0,106.4,107.5,109.2j,110.6,120.7,136.3,148.2e,158.3w,159.8,357.d,358.e,359.f,364@840.1o;0.0,91.4,92.5,94.2j,95.6,120.7,133.2e,136.3,143.3w,144.8,357.d,358.e,359.f,364@840.1o;0.0,83.4,84.5,86.2j,87.6,120.7,125.2e,135.3w,136.3,357.d,358.e,359.f,364@840.1o;0.0,103.4,104.5,106.2j,107.6,121.7,137.3,145.2e,155.3w,156.8,358.d,359.e,360.f,365.1o;0.0,87.4,88.5,90.2j,91.6,120.7,129.2e,136.3,139.3w,140.8,357.d,358.e,359.f,364@840.1o;0.0,107.4,108.5,110.2j,111.6,120.7,136.3,149.2e,159.3w,160.8,357.d,358.e,359.f,364@840.1o;0.0,99.4,100.5,102.2j,103.6,120.7,136.3,141.2e,151.3w,152.8,357.d,358.e,359.f,364@840.1o;0.0,84.4,85.5,87.2j,88.6,121.7,126.2e,136.3w,137.3,358.d,359.e,360.f,365@840.1o
SK 0.0,5.1,88.5,91.6,121.7,128.qd,186.a6,241.qe,258.qf,305.b,321.aa,358.d,359.e,360.f;0.0,5.1,107.5,110.6,120.7,127.qd,185.a6,240.qe,257.qf,304.b,357.d,358.e,359.f;0.0,5.1,92.5,95.6,120.7,185.a6,240.qe,304.b,357.d,358.e,359.f;0.0,5.1,84.5,87.6,120.7,185.a6,240.qe,304.b,357.d,358.e,359.f;0.0,5.1,104.5,107.6,121.7,186.a6,241.qe,305.b,358.d,359.e,360.f;0.0,5.1,88.5,91.6,120.7,185.a6,240.qe,304.b,357.d,358.e,359.f;0.0,5.1,108.5,111.6,120.7,185.a6,240.qe,304.b,357.d,358.e,359.f;0.0,5.1,100.5,103.6,120.7,185.a6,240.qe,304.b,357.d,358.e,359.f;0.0,5.1,85.5,88.6,121.7,186.a6,241.qe,305.b,358.d,359.e,360.f
SL 0.0,48.4t,49.dg,67.1k,88.5,91.6,99@1080.db,100.db,117.s,166@1080.dd,167.dd,168.qg,257@1080.qh,258.qh,259.qi,359.e,360.f;0.0,48.4t,66.1k,87@1080.db,88.db,89.qj,107.5,110.6,116.s,117.1e,155@1080.dd,156.dd,245@1080.qh,246.qh,358.e,359.f;0.0,48.4t,66.1k,67.3e,77@1080.db,78.db,92.5,95.6,116.s,145@1080.dd,146.dd,235@1080.qh,236.qh,358.e,359.f;0.0,48.4t,66.1k,67.db,84.5,87.6,116.s,134@1080.dd,135.dd,136.qg,224@1080.qh,225.qh,358.e,359.f,360.u;0.0,48.4t,55@1080.db,56.db,67.1k,104.5,107.6,117.s,124@1080.dd,125.dd,214@1080.qh,215.qh,359.e,360.f;0.0,43@1080.db,44.db,48.4t,49.dg,66.1k,88.5,91.6,112@1080.dd,113.dd,116.s,203@1080.qh,204.qh,358.e,359.f;0.0,33@1080.db,34.db,48.4t,66.1k,101@1080.dd,102.dd,108.5,111.6,116.s,192@1080.qh,193.qh,358.e,359.f;0.0,22@1080.db,23.db,48.4t,66.1k,90@1080.dd,91.dd,100.5,103.6,116.s,117.1e,181@1080.qh,182.qh,358.e,359.f;0.0,12@1080.db,13.db,48.4t,67.1k,80@1080.dd,81.dd,85.5,88.6,117.s,170@1080.qh,171.qh,172.qi,359.e,360.f,361.u
SM 0.0,5.1,35.qk,84.ql,90.2j,91.qm,121.7,150.2f,209.qn,227.9,246.qo,274.qp,305.b,306.qq,342.c,359.e,360.f;0.0,5.1,35.qk,83.ql,90.qm,109.2j,110.6,120.7,169.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,83.ql,90.qm,94.2j,95.6,120.7,154.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,83.ql,86.2j,87.6,90.qm,120.7,146.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,84.ql,91.qm,106.2j,107.6,121.7,166.2f,209.qn,227.9,246.qo,274.qp,305.b,306.qq,342.c,359.e,360.f;0.0,5.1,35.qk,83.ql,90.qm,91.6,120.7,150.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,83.ql,90.qm,110.2j,111.6,120.7,170.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,83.ql,90.qm,102.2j,103.6,120.7,162.2f,208.qn,226.9,245.qo,273.qp,304.b,305.qq,341.c,358.e,359.f;0.0,5.1,35.qk,84.ql,87.2j,88.6,91.qm,121.7,147.2f,209.qn,227.9,246.qo,274.qp,305.b,306.qq,342.c,359.e,360.f
SN 0.0,91.6,94.2g,99@1080.l,100.l,121.7,129.2e,140.8,166@1080.m,167.m,168.m,196@1080.44,197.44,227.9,233@1080.qr,234.qr,257@1080.o,258.o,305.b,359.e;0.0,87@1080.l,88.l,89.l,93.2g,110.6,120.7,148.2e,155@1080.m,156.m,159.8,184@1080.44,185.44,222@1080.qr,223.qr,226.9,245@1080.o,246.o,304.b,358.e;0.0,77@1080.l,78.l,93.2g,95.6,120.7,133.2e,144.8,145@1080.m,146.m,174@1080.44,175.44,211@1080.qr,212.qr,226.9,235@1080.o,236.o,304.b,358.e;0.0,66@1080.l,67.l,87.6,93.2g,120.7,125.2e,134@1080.m,135.m,136.m,164@1080.44,165.44,201@1080.qr,202.qr,224@1080.o,225.o,226.9,304.b,358.e;0.0,55@1080.l,56.l,94.2g,107.6,121.7,124@1080.m,125.m,145.2e,153@1080.44,154.44,156.8,191@1080.qr,192.qr,214@1080.o,215.o,227.9,305.b,359.e;0.0,43@1080.l,44.l,91.6,93.2g,112@1080.m,113.m,120.7,129.2e,140.8,141@1080.44,142.44,179@1080.qr,180.qr,203@1080.o,204.o,226.9,304.b,358.e;0.0,33@1080.l,34.l,93.2g,101@1080.m,102.m,111.6,120.7,130@1080.44,131.44,149.2e,160.8,168@1080.qr,169.qr,192@1080.o,193.o,226.9,304.b,358.e;0.0,22@1080.l,23.l,90@1080.m,91.m,93.2g,103.6,120.7,121.44,141.2e,152.8,157@1080.qr,158.qr,181@1080.o,182.o,226.9,304.b,358.e;0.0,12@1080.l,13.l,80@1080.m,81.m,88.6,94.2g,109@1080.44,110.44,121.7,126.2e,137.8,146@1080.qr,147.qr,170@1080.o,171.o,227.9,305.b,359.e
SO 0.0,99@1080.l,100.l,121.7,166@1080.m,167.m,177.qs,182.s,196@1080.44,197.44,257@1080.o,258.o;0.0,87@1080.l,88.l,120.7,155@1080.m,156.m,176.qs,181.s,184@1080.44,185.44,245@1080.o,246.o;0.0,77@1080.l,78.l,120.7,145@1080.m,146.m,174@1080.44,175.44,176.qs,181.s,235@1080.o,236.o;0.0,66@1080.l,67.l,120.7,134@1080.m,135.m,164@1080.44,165.44,176.qs,181.s,224@1080.o,225.o;0.0,55@1080.l,56.l,121.7,124@1080.m,125.m,153@1080.44,154.44,177.qs,182.s,214@1080.o,215.o;0.0,43@1080.l,44.l,112@1080.m,113.m,120.7,141@1080.44,142.44,176.qs,181.s,203@1080.o,204.o;0.0,33@1080.l,34.l,101@1080.m,102.m,120.7,130@1080.44,131.44,176.qs,181.s,192@1080.o,193.o;0.0,22@1080.l,23.l,90@1080.m,91.m,120.7,121.44,176.qs,181.s,182.o;0.0,12@1080.l,13.l,80@1080.m,81.m,109@1080.44,110.44,121.7,170@1080.o,171.o,177.qs,182.s
SO-AW !0.0,!182.s,!196@1080.44,!197.44,37@1080.j,38.j,138.qt,139.qt,187@1080.n,188.n;!0.0,!176.qs,!181.s,!184@1080.44,!185.44,25@1080.j,26.j,137.qt,138.qt,175@1080.n,176.n;!0.0,!174@1080.44,!175.44,!181.s,14@1080.j,15.j,137.qt,138.qt,165@1080.n,166.n;!0.0,!164@1080.44,!165.44,!181.s,3@1080.j,4.j,137.qt,138.qt,155@1080.n,156.n,357@1080.j,358.j;!0.0,!153@1080.44,!154.44,!182.s,138.qt,139.qt,144@1080.n,145.n,347@1080.j,348.j;!0.0,!141@1080.44,!142.44,!181.s,132@1080.n,133.n,137.qt,138.qt,335@1080.j,336.j;!0.0,!130@1080.44,!131.44,!181.s,121@1080.n,122.n,137.qt,138.qt,325@1080.j,326.j;!0.0,!121.44,!181.s,111@1080.n,112.n,137.qt,138.qt,181@1080.o,314@1080.j,315.j;!0.0,!109@1080.44,!110.44,!182.s,100@1080.n,101.n,138.qt,139.qt,304@1080.j,305.j
SO-SA !0.0,!182.s,!196@1080.44,!197.44,37@1080.j,38.j,138.qt,139.qt,187@1080.n,188.n;!0.0,!176.qs,!181.s,!184@1080.44,!185.44,25@1080.j,26.j,137.qt,138.qt,175@1080.n,176.n;!0.0,!174@1080.44,!175.44,!181.s,14@1080.j,15.j,137.qt,138.qt,165@1080.n,166.n;!0.0,!164@1080.44,!165.44,!181.s,3@1080.j,4.j,137.qt,138.qt,155@1080.n,156.n,357@1080.j,358.j;!0.0,!153@1080.44,!154.44,!182.s,138.qt,139.qt,144@1080.n,145.n,347@1080.j,348.j;!0.0,!141@1080.44,!142.44,!181.s,132@1080.n,133.n,137.qt,138.qt,335@1080.j,336.j;!0.0,!130@1080.44,!131.44,!181.s,121@1080.n,122.n,137.qt,138.qt,325@1080.j,326.j;!0.0,!121.44,!181.s,111@1080.n,112.n,137.qt,138.qt,181@1080.o,314@1080.j,315.j;!0.0,!109@1080.44,!110.44,!182.s,100@1080.n,101.n,138.qt,139.qt,304@1080.j,305.j
SO-SO !0.0,!182.s,!196@1080.44,!197.44,37@1080.j,38.j,138.qt,139.qt,187@1080.n,188.n;!0.0,!176.qs,!181.s,!184@1080.44,!185.44,25@1080.j,26.j,137.qt,138.qt,175@1080.n,176.n;!0.0,!174@1080.44,!175.44,!181.s,14@1080.j,15.j,137.qt,138.qt,165@1080.n,166.n;!0.0,!164@1080.44,!165.44,!181.s,3@1080.j,4.j,137.qt,138.qt,155@1080.n,156.n,357@1080.j,358.j;!0.0,!153@1080.44,!154.44,!182.s,138.qt,139.qt,144@1080.n,145.n,347@1080.j,348.j;!0.0,!141@1080.44,!142.44,!181.s,132@1080.n,133.n,137.qt,138.qt,335@1080.j,336.j;!0.0,!130@1080.44,!131.44,!181.s,121@1080.n,122.n,137.qt,138.qt,325@1080.j,326.j;!0.0,!121.44,!181.s,111@1080.n,112.n,137.qt,138.qt,181@1080.o,314@1080.j,315.j;!0.0,!109@1080.44,!110.44,!182.s,100@1080.n,101.n,138.qt,139.qt,304@1080.j,305.j
SO-TO !0.0,!182.s,!196@1080.44,!197.44,37@1080.j,38.j,138.qt,139.qt,187@1080.n,188.n;!0.0,!176.qs,!181.s,!184@1080.44,!185.44,25@1080.j,26.j,137.qt,138.qt,175@1080.n,176.n;!0.0,!174@1080.44,!175.44,!181.s,14@1080.j,15.j,137.qt,138.qt,165@1080.n,166.n;!0.0,!164@1080.44,!165.44,!181.s,3@1080.j,4.j,137.qt,138.qt,155@1080.n,156.n,357@1080.j,358.j;!0.0,!153@1080.44,!154.44,!182.s,138.qt,139.qt,144@1080.n,145.n,347@1080.j,348.j;!0.0,!141@1080.44,!142.44,!181.s,132@1080.n,133.n,137.qt,138.qt,335@1080.j,336.j;!0.0,!130@1080.44,!131.44,!181.s,121@1080.n,122.n,137.qt,138.qt,325@1080.j,326.j;!0.0,!121.44,!181.s,111@1080.n,112.n,137.qt,138.qt,181@1080.o,314@1080.j,315.j;!0.0,!109@1080.44,!110.44,!182.s,100@1080.n,101.n,138.qt,139.qt,304@1080.j,305.j
SO-WO !0.0,!182.s,!196@1080.44,!197.44,37@1080.j,38.j,138.qt,139.qt,187@1080.n,188.n;!0.0,!176.qs,!181.s,!184@1080.44,!185.44,25@1080.j,26.j,137.qt,138.qt,175@1080.n,176.n;!0.0,!174@1080.44,!175.44,!181.s,14@1080.j,15.j,137.qt,138.qt,165@1080.n,166.n;!0.0,!164@1080.44,!165.44,!181.s,3@1080.j,4.j,137.qt,138.qt,155@1080.n,156.n,357@1080.j,358.j;!0.0,!153@1080.44,!154.44,!182.s,138.qt,139.qt,144@1080.n,145.n,347@1080.j,348.j;!0.0,!141@1080.44,!142.44,!181.s,132@1080.n,133.n,137.qt,138.qt,335@1080.j,336.j;!0.0,!130@1080.44,!131.44,!181.s,121@1080.n,122.n,137.qt,138.qt,325@1080.j,326.j;!0.0,!121.44,!181.s,111@1080.n,112.n,137.qt,138.qt,181@1080.o,314@1080.j,315.j;!0.0,!109@1080.44,!110.44,!182.s,100@1080.n,101.n,138.qt,139.qt,304@1080.j,305.j
SR 0.0,40.4r,55.qu,84.qv,88.5,91.6,99@1080.l,100.l,121.7,166@1080.m,167.m,182.3x,221.9a,283.qw,304.e5,329.s,359.e,360.f;0.0,28.4r,55.qu,72.qv,87@1080.l,88.l,107.5,110.6,120.7,155@1080.m,156.m,181.3x,220.9a,282.qw,292.e5,328.s,358.e,359.f;0.0,47.4r,55.qu,61.qv,77@1080.l,78.l,92.5,95.6,120.7,145@1080.m,146.m,181.3x,220.9a,282.qw,311.e5,328.s,358.e,359.f;0.0,36.4r,55.qu,66@1080.l,67.l,80.qv,84.5,87.6,120.7,134@1080.m,135.m,181.3x,220.9a,282.qw,300.e5,328.s,358.e,359.f;0.0,25.4r,55.qu,56.l,70.qv,104.5,107.6,121.7,124@1080.m,125.m,182.3x,221.9a,283.qw,290.e5,329.s,359.e,360.f;0.0,43.4r,44.l,55.qu,86.qv,88.5,91.6,112@1080.m,113.m,120.7,181.3x,220.9a,282.qw,308.e5,328.s,358.e,359.f;0.0,33.4r,34.l,55.qu,77.qv,101@1080.m,102.m,108.5,111.6,120.7,181.3x,220.9a,282.qw,297.e5,328.s,358.e,359.f;0.0,22.4r,23.l,55.qu,90@1080.m,91.m,100.5,103.6,120.7,181.3x,220.9a,282.qw,328.s,358.e,359.f;0.0,12@1080.l,13.l,41.4r,55.qu,80@1080.m,81.m,85.5,88.6,121.7,182.3x,221.9a,283.qw,329.s,359.e,360.f
SS 0.0,8.qx,67.1k,100@1080.l,101.l,136.qy,168@1080.m,169.m,190.s,211.qz,359.e,362.1n,365.1o;0.0,8.qx,66.1k,88@1080.l,89.l,135.qy,157@1080.m,158.m,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,66.1k,78@1080.l,79.l,135.qy,147@1080.m,148.m,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,66.1k,67@1080.l,68.l,135.qy,136@1080.m,137.m,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,56@1080.l,57.l,67.1k,126@1080.m,127.m,136.qy,190.s,211.qz,359.e,362.1n,365.1o;0.0,8.qx,44@1080.l,45.l,66.1k,114@1080.m,115.m,135.qy,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,34@1080.l,35.l,66.1k,103@1080.m,104.m,135.qy,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,23@1080.l,24.l,66.1k,92@1080.m,93.m,135.qy,189.s,210.qz,358.e,361.1n,364.1o;0.0,8.qx,13@1080.l,14.l,67.1k,82@1080.m,83.m,136.qy,190.s,211.qz,359.e,362.1n,365.1o
ST 0.0,32.nl,33.b2,121.7,193.s,249.4t,273.r0,354.r1,355.r2,359.e;0.0,33.b2,120.7,191.1e,192.s,247.dg,248.4t,272.r0,354.r2,355.r1,358.e;0.0,33.b2,120.7,192.s,193.1e,248.4t,249.dg,272.r0,354.r2,358.e;0.0,33.b2,119.bx,120.7,192.s,248.4t,272.r0,354.r2,357.1g,358.e,364.1h;0.0,33.b2,121.7,193.s,249.4t,272.r3,273.r0,355.r2,359.e;0.0,32.nl,33.b2,120.7,192.s,248.4t,272.r0,273.r3,354.r2,358.e;0.0,33.b2,34.nl,120.7,192.s,248.4t,272.r0,353.r1,354.r2,358.e;0.0,33.b2,120.7,191.1e,192.s,247.dg,248.4t,272.r0,354.r2,355.r1,358.e;0.0,33.b2,120.bx,121.7,193.s,249.4t,273.r0,355.r2,358.1g,359.e,365.1h
SV 87.4,88.5,89.2i,121.7,218.r4,258.s,306.1s,359.e;106.4,107.5,108.2i,120.7,217.r4,257.s,305.1s,358.e;91.4,92.5,93.2i,120.7,217.r4,257.s,305.1s,358.e;83.4,84.5,85.2i,120.7,217.r4,257.s,305.1s,358.e;103.4,104.5,105.2i,121.7,218.r4,258.s,306.1s,359.e;87.4,88.5,89.2i,120.7,217.r4,257.s,305.1s,358.e;107.4,108.5,109.2i,120.7,217.r4,257.s,305.1s,358.e;99.4,100.5,101.2i,120.7,217.r4,257.s,305.1s,358.e;84.4,85.5,86.2i,121.7,218.r4,258.s,306.1s,359.e
SV-SS 215.r5,217.r5;214.r5,216.r5;214.r5,216.r5;214.r5,216.r5;215.r5,217.r5;214.r5,216.r5;214.r5,216.r5;214.r5,216.r5;215.r5,217.r5
SX 0.0,88.5,90.2j,91.6,117.n6,120.5n,121.7,129.2e,139.3w,182.3x,282.3,315.r6,359.e,360.f;0.0,107.5,109.2j,110.6,116.n6,119.5n,120.7,148.2e,158.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,92.5,94.2j,95.6,116.n6,119.5n,120.7,133.2e,143.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,84.5,86.2j,87.6,116.n6,119.5n,120.7,125.2e,135.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,104.5,106.2j,107.6,117.n6,121.7,122.5n,145.2e,155.3w,182.3x,282.3,315.r6,359.e,360.f;0.0,88.5,90.2j,91.6,116.n6,119.5n,120.7,129.2e,139.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,108.5,110.2j,111.6,116.n6,119.5n,120.7,149.2e,159.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,100.5,102.2j,103.6,116.n6,119.5n,120.7,141.2e,151.3w,181.3x,281.3,314.r6,358.e,359.f;0.0,85.5,87.2j,88.6,117.n6,120.5n,121.7,126.2e,136.3w,182.3x,282.3,315.r6,359.e,360.f
SZ 0.0,88.5,91.6,109.r7,115.r8,121.7,129.2e,203.r9,245.ra,249.s,359.e,360.f,362.rb,363.rb,364.rb,365.rb,366.rb,367.rb;0.0,107.5,108.r7,110.6,114.r8,120.7,148.2e,202.r9,243.ra,248.s,250.1e,358.e,359.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,92.5,95.6,108.r7,109.rc,114.r8,116.rd,120.7,133.2e,202.r9,248.s,249.ra,358.e,359.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,84.5,87.6,108.r7,114.r8,115.rd,120.7,122.bx,125.2e,202.r9,248.ra,358.e,359.f,360.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,104.5,107.6,109.r7,115.r8,121.7,145.2e,203.r9,205.re,247.ra,249.s,359.e,360.f,362.rb,363.rb,364.rb,365.rb,366.rb,367.rb;0.0,88.5,91.6,108.r7,114.r8,120.7,129.2e,202.r9,203.re,245.ra,248.s,358.e,359.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,108.5,111.6,114.r8,120.7,149.2e,202.r9,244.ra,248.s,358.e,359.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,100.5,103.6,108.r7,110.rc,114.r8,120.7,141.2e,202.r9,243.ra,248.s,250.1e,358.e,359.f,361.rb,362.rb,363.rb,364.rb,365.rb,366.rb;0.0,85.5,88.6,109.r7,115.r8,116.rd,121.7,123.bx,126.2e,203.r9,249.ra,359.e,360.f,361.f,362.rb,363.rb,364.rb,365.rb,366.rb,367.rb
TC 0.0,70.d4,88.5,91.6,147.71,161.93,217.3x,270.n1,287.rf,326.rg,359.e,360.f;0.0,68.d4,107.5,110.6,145.71,159.93,215.3x,268.n1,285.rf,331.rg,358.e,359.f;0.0,67.d4,92.5,95.6,144.71,165.93,214.3x,267.n1,284.rf,330.rg,358.e,359.f,361.u;0.0,66.d4,84.5,87.6,150.71,164.93,213.3x,266.n1,283.rf,329.rg,358.e,359.f,360.1g,361.u;0.0,2.0,72.d4,104.5,107.6,149.71,163.93,219.3x,272.n1,282.rf,328.rg,359.e,360.f;0.0,70.d4,88.5,91.6,147.71,161.93,217.3x,270.n1,280.rf,326.rg,358.e,359.f;0.0,69.d4,108.5,111.6,146.71,160.93,216.3x,269.n1,286.rf,325.rg,358.e,359.f;0.0,68.d4,100.5,103.6,145.71,159.93,215.3x,268.n1,285.rf,331.rg,358.e,359.f;0.0,67.d4,85.5,88.6,151.71,165.93,214.3x,267.n1,284.rf,330.rg,359.e,360.f,361.1g,362.u
TD 0.0,91.6,99@1080.l,100.l,121.7,166@1080.m,167.m,223.s,224.s,257@1080.o,258.o,305.b,332.4a,335.rh,336.rh,359.e;0.0,87@1080.l,88.l,110.6,120.7,155@1080.m,156.m,222.s,245@1080.o,246.o,304.b,331.4a,334.rh,358.e;0.0,77@1080.l,78.l,95.6,120.7,145@1080.m,146.m,222.s,235@1080.o,236.o,304.b,331.4a,334.rh,358.e;0.0,66@1080.l,67.l,87.6,120.7,134@1080.m,135.m,222.s,224@1080.o,225.o,304.b,331.4a,334.rh,358.e;0.0,55@1080.l,56.l,107.6,121.7,124@1080.m,125.m,214@1080.o,215.o,223.s,305.b,332.4a,335.rh,359.e;0.0,43@1080.l,44.l,91.6,112@1080.m,113.m,120.7,203@1080.o,204.o,222.s,304.b,331.4a,334.rh,358.e;0.0,33@1080.l,34.l,101@1080.m,102.m,111.6,120.7,192@1080.o,193.o,222.s,223.s,304.b,331.4a,334.rh,335.rh,358.e;0.0,22@1080.l,23.l,90@1080.m,91.m,103.6,120.7,181@1080.o,182.o,222.s,304.b,331.4a,334.rh,358.e;0.0,12@1080.l,13.l,80@1080.m,81.m,88.6,121.7,170@1080.o,171.o,223.s,305.b,332.4a,335.rh,359.e
TG 0.0,12.18,91.6,100@1080.l,101.l,117.s,121.7,129.2e,140.8,167@1080.m,168.m,172.87,227.9,258@1080.o,259.o,305.b,359.e;0.0,12.18,88@1080.l,89.l,110.6,116.s,120.7,148.2e,156@1080.m,157.m,159.8,171.87,226.9,246@1080.o,247.o,304.b,358.e;0.0,12.18,78@1080.l,79.l,95.6,116.s,120.7,133.2e,144.8,146@1080.m,147.m,171.87,226.9,236@1080.o,237.o,304.b,358.e;0.0,12.18,67@1080.l,68.l,87.6,116.s,120.7,125.2e,135@1080.m,136.m,171.87,225@1080.o,226.o,304.b,358.e;0.0,12.18,56@1080.l,57.l,107.6,117.s,121.7,125@1080.m,126.m,145.2e,156.8,172.87,215@1080.o,216.o,227.9,305.b,359.e;0.0,12.18,44@1080.l,45.l,91.6,113@1080.m,114.m,116.s,120.7,129.2e,140.8,171.87,204@1080.o,205.o,226.9,304.b,358.e;0.0,12.18,34@1080.l,35.l,102@1080.m,103.m,111.6,116.s,120.7,149.2e,160.8,171.87,193@1080.o,194.o,226.9,304.b,358.e;0.0,12.18,23@1080.l,24.l,91@1080.m,92.m,103.6,116.s,120.7,141.2e,152.8,171.87,182@1080.o,183.o,226.9,304.b,358.e;0.0,12.18,13@1080.l,14.l,81@1080.m,82.m,88.6,117.s,121.7,126.2e,137.8,171@1080.o,172.o,227.9,305.b,359.e
TH 0.0,54.ri,96.rj,103.rk,104.rk,105.rk,124.rl,142.f4,154.rm,200.rn,201.ro,209.2n,224.rp,286.rq,296.rr,339.rs,344.3,365.1o;0.0,43.ri,95.rj,102.rk,103.rk,104.rk,123.rl,131.f4,153.rm,190.rn,191.ro,208.2n,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,61.ri,95.rj,102.rk,103.rk,104.rk,123.rl,150.f4,153.rm,208.2n,209.rn,210.ro,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,95.rj,102.rk,103.rk,104.rk,123.rl,153.rm,208.2n,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,96.rj,103.rk,104.rk,105.rk,124.rl,154.rm,209.2n,224.rp,286.rq,296.rr,339.rs,344.3,365.1o;0.0,95.rj,102.rk,103.rk,104.rk,123.rl,153.rm,208.2n,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,95.rj,102.rk,103.rk,104.rk,123.rl,153.rm,208.2n,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,95.rj,102.rk,103.rk,104.rk,123.rl,153.rm,208.2n,223.rp,285.rq,295.rr,338.rs,343.3,364.1o;0.0,96.rj,103.rk,104.rk,105.rk,124.rl,154.rm,209.2n,224.rp,286.rq,296.rr,339.rs,344.3,365.1o
TN 0.0,13.rt,79.ru,99.rv,100.l,121.7,166@1080.m,167.m,187@1080.n,188.n,206.rw,225.rx,257@1080.o,258.o,288.ry;0.0,13.rt,78.ru,87@1080.l,88.l,98.rv,120.7,155@1080.m,156.m,175@1080.n,176.n,205.rw,224.rx,245@1080.o,246.o,287.ry;0.0,13.rt,77@1080.l,78.l,98.rv,120.7,145@1080.m,146.m,165@1080.n,166.n,205.rw,224.rx,235@1080.o,236.o,287.ry;0.0,13.rt,66@1080.l,67.l,78.ru,98.rv,120.7,134@1080.m,135.m,155@1080.n,156.n,205.rw,224.rx,225.o,287.ry;0.0,13.rt,55@1080.l,56.l,79.ru,99.rv,121.7,124@1080.m,125.m,144@1080.n,145.n,206.rw,214@1080.o,215.o,225.rx,288.ry;0.0,13.rt,43@1080.l,44.l,78.ru,98.rv,112@1080.m,113.m,120.7,132@1080.n,133.n,203@1080.o,204.o,205.rw,224.rx,287.ry;0.0,13.rt,33@1080.l,34.l,78.ru,98.rv,101@1080.m,102.m,120.7,121@1080.n,122.n,192@1080.o,193.o,205.rw,224.rx,287.ry;0.0,13.rt,22@1080.l,23.l,78.ru,90@1080.m,91.m,98.rv,111@1080.n,112.n,120.7,181@1080.o,182.o,205.rw,224.rx,287.ry;0.0,12@1080.l,13.l,79.ru,80@1080.m,81.m,99.rv,100@1080.n,101.n,121.7,170@1080.o,171.o,206.rw,225.rx,288.ry
TO 0.0,88.5,91.6,115.n8,154.3x,155.3x,185.rz,260.s0,308.s1,338.s2,359.e,360.f;0.0,107.5,110.6,114.n8,154.3x,184.rz,259.s0,306.s1,341.s2,358.e,359.f;0.0,92.5,95.6,114.n8,158.3x,184.rz,259.s0,305.s1,340.s2,358.e,359.f;0.0,84.5,87.6,114.n8,157.3x,184.rz,259.s0,311.s1,339.s2,358.e,359.f;0.0,104.5,107.6,115.n8,156.3x,185.rz,260.s0,310.s1,338.s2,359.e,360.f;0.0,88.5,91.6,114.n8,154.3x,184.rz,259.s0,308.s1,336.s2,337.s2,358.e,359.f;0.0,108.5,111.6,114.n8,153.3x,154.3x,184.rz,259.s0,307.s1,337.s2,358.e,359.f;0.0,100.5,103.6,114.n8,154.3x,184.rz,259.s0,306.s1,341.s2,358.e,359.f;0.0,85.5,88.6,115.n8,158.3x,185.rz,260.s0,312.s1,340.s2,359.e,360.f
TR 0.0,99@1080.l,100.l,101.l,102.l,103.l,113.s3,121.s4,139.s5,166@1080.m,167.m,168.m,169.m,170.m,171.m,196.s6,242.3s,302.1n;0.0,87@1080.l,88.l,89.l,90.l,91.l,112.s3,120.s4,138.s5,155@1080.m,156.m,157.m,158.m,159.m,160.m,195.s6,241.3s,301.1n;0.0,77@1080.l,78.l,79.l,80.l,81.l,112.s3,120.s4,138.s5,145@1080.m,146.m,147.m,148.m,149.m,150.m,195.s6,241.3s,301.1n;0.0,66@1080.l,67.l,68.l,69.l,70.l,112.s3,120.s4,134@1080.m,135.m,136.m,137.m,138.m,139.m,195.s6,241.3s,301.1n;0.0,55@1080.l,56.l,57.l,58.l,59.l,113.s3,121.s4,124@1080.m,125.m,126.m,127.m,128.m,129.m,139.s5,196.s6,242.3s,302.1n;0.0,43@1080.l,44.l,45.l,46.l,47.l,112.s3,113.m,114.m,115.m,116.m,117.m,120.s4,138.s5,195.s6,241.3s,301.1n;0.0,33@1080.l,34.l,35.l,36.l,37.l,101@1080.m,102.m,103.m,104.m,105.m,106.m,112.s3,120.s4,138.s5,195.s6,241.3s,301.1n;0.0,22@1080.l,23.l,24.l,25.l,26.l,90@1080.m,91.m,92.m,93.m,94.m,95.m,112.s3,120.s4,138.s5,195.s6,241.3s,301.1n;0.0,12@1080.l,13.l,14.l,15.l,16.l,80@1080.m,81.m,82.m,83.m,84.m,85.m,113.s3,121.s4,139.s5,196.s6,242.3s,302.1n
TT 0.0,88.5,89.s7,90.2j,99@1080.l,100.l,150.2f,170.7,213.3x,243.s,267.1n,304.e5,359.e,360.f;0.0,87@1080.l,88.l,89.3f,107.5,109.2j,149.s8,169.2f,212.3x,242.s,243.1e,266.1n,292.e5,358.e,359.f;0.0,77@1080.l,78.l,88.s7,92.5,94.2j,149.s8,154.2f,169.7,212.3x,242.s,266.1n,311.e5,312.e5,358.e,359.f;0.0,66@1080.l,67.l,84.5,86.2j,88.s7,146.2f,149.s8,150.s9,169.7,212.3x,213.sa,242.s,266.1n,300.e5,358.e,359.f,360.u;0.0,55@1080.l,56.l,89.s7,104.5,106.2j,150.s8,166.2f,170.7,213.3x,243.s,267.1n,268.3j,290.e5,359.e,360.f;0.0,43@1080.l,44.l,88.5,90.2j,149.s8,150.2f,169.7,212.3x,242.s,266.1n,308.e5,358.e,359.f;0.0,33@1080.l,34.l,88.s7,108.5,110.2j,149.s8,169.7,170.2f,212.3x,242.s,266.1n,297.e5,358.e,359.f;0.0,22@1080.l,23.l,88.s7,89.sb,100.5,102.2j,149.s8,162.2f,169.7,212.3x,242.s,243.1e,266.1n,358.e,359.f;0.0,12@1080.l,13.l,85.5,87.2j,89.s7,147.2f,150.s8,151.s9,170.7,213.3x,214.sa,243.s,267.1n,359.e,360.f,361.u
TW 0.sc,39.sd,40.4r,41.se,42.sf,43.sg,44.sh,58.si,94.9h,161.9i,260.9j,283.sj;0.sc,27.sd,28.4r,29.se,30.sf,31.sg,32.sh,58.si,93.9h,150.9i,278.9j,282.sj;0.sc,46.sd,47.4r,48.se,49.sf,50.sg,51.sh,58.si,93.9h,94.sk,95.sl,169.9i,267.9j,282.sj;0.sc,35.sd,36.4r,37.se,38.sf,39.sg,40.sh,58.si,59.sm,93.9h,94.hw,159.9i,257.9j,282.sj,283.sn,364.so;0.sc,24.sd,25.4r,26.se,27.sf,28.sg,29.sh,58.si,94.9h,148.9i,149.sp,276.9j,283.sj;0.sc,42.sd,43.4r,44.se,45.sf,46.sg,47.sh,58.si,93.9h,166.9i,264.9j,282.sj;0.sc,32.sd,33.4r,34.se,35.sf,36.sg,37.sh,58.si,93.9h,94.sk,155.9i,254.9j,282.sj;0.sc,21.sd,22.4r,23.se,24.sf,25.sg,26.sh,58.si,93.9h,94.sk,174.9i,273.9j,282.sj;0.sc,40.sd,41.4r,42.se,43.sf,44.sg,45.sh,58.si,94.9h,95.hw,163.9i,262.9j,263.sq,283.sj,284.sn,365.so
TZ 0.0,1.sr,88.5,91.6,97.ss,99@1080.l,100.l,101.l,116.st,121.7,166@1080.m,167.m,188.su,220.sv,257@1080.sw,258.sw,287.sx,343.s,359.e,360.e;0.0,1.sr,87@1080.l,88.l,89.l,96.ss,107.5,110.6,115.st,120.7,155@1080.m,156.m,187.su,219.sv,245@1080.sw,246.sw,286.sx,342.s,358.e,359.e;0.0,1.sr,77@1080.l,78.l,79.l,92.5,95.6,96.ss,115.st,120.7,145@1080.m,146.m,187.su,219.sv,235@1080.sw,236.sw,286.sx,342.s,358.e,359.e;0.0,1.sr,66@1080.l,67.l,68.l,84.5,87.6,96.ss,115.st,120.7,134@1080.m,135.m,187.su,219.sv,224@1080.sw,225.sw,286.sx,342.s,358.e,359.e;0.0,1.sr,55@1080.l,56.l,57.l,97.ss,104.5,107.6,116.st,121.7,124@1080.m,125.m,188.su,214@1080.sw,215.sw,220.sv,287.sx,343.s,359.e,360.e;0.0,1.sr,43@1080.l,44.l,45.l,88.5,91.6,96.ss,112@1080.m,113.m,115.st,120.7,187.su,203@1080.sw,204.sw,219.sv,286.sx,342.s,358.e,359.e;0.0,1.sr,33@1080.l,34.l,35.l,96.ss,101@1080.m,102.m,108.5,111.6,115.st,120.7,187.su,192@1080.sw,193.sw,219.sv,286.sx,342.s,358.e,359.e;0.0,1.sr,22@1080.l,23.l,24.l,90@1080.m,91.m,96.ss,100.5,103.6,115.st,120.7,181@1080.sw,182.sw,187.su,219.sv,286.sx,342.s,358.e,359.e;0.0,1.sr,12@1080.l,13.l,14.l,80@1080.m,81.m,85.5,88.6,97.ss,116.st,121.7,170@1080.sw,171.sw,188.su,220.sv,287.sx,343.s,359.e,360.e
UA 0.sy,1.sy,67.1k,121.7,125.15,126.sz,129.3s,174.3w,175.t0,179.3,196.3q,236.s,238.1e,274.t1,359.e;0.sy,1.sy,66.1k,68.1k,109.15,110.sz,120.7,128.3s,158.3w,159.t0,178.3,180.95,195.3q,235.s,236.1e,273.t1,358.e;0.sy,1.sy,66.1k,67.1k,101.15,102.sz,120.7,128.3s,130.j6,150.3w,151.t0,178.3,179.95,195.3q,235.s,273.t1,358.e;0.sy,1.sy,3.t2,66.1k,120.7,121.15,122.sz,123.bx,128.3s,129.j6,170.3w,171.t0,178.3,195.3q,235.s,273.t1,358.e,360.e;0.sy,1.sy,2.t2,3.t2,67.1k,106.15,107.sz,121.7,129.3s,155.3w,156.t0,179.3,196.3q,198.3q,236.s,274.t1,275.t3,359.e;0.sy,1.sy,66.1k,97.15,98.sz,120.7,128.3s,146.3w,147.t0,178.3,195.3q,196.3q,235.s,273.t1,358.e;0.sy,1.sy,66.1k,117.15,118.sz,120.7,128.3s,166.3w,167.t0,178.3,195.3q,235.s,237.1e,273.t1,358.e;0.sy,1.sy,66.1k,68.1k,102.15,103.sz,120.7,128.3s,151.3w,152.t0,178.3,180.95,195.3q,235.s,236.1e,273.t1,358.e;0.sy,1.sy,67.1k,121.7,122.15,123.sz,124.bx,129.3s,130.j6,171.3w,172.t0,179.3,196.3q,236.s,274.t1,359.e,361.e
UG 0.0,25.18,46.t4,67.1k,88.5,90.2j,91.6,99@1080.l,100.l,121.7,154.t5,160.3v,166@1080.m,167.m,282.s,359.e,360.f;0.0,25.18,46.t4,66.1k,87@1080.l,88.l,107.5,109.2j,110.6,120.7,153.t5,155@1080.m,156.m,159.3v,281.s,358.e,359.f;0.0,25.18,46.t4,66.1k,77@1080.l,78.l,92.5,94.2j,95.6,120.7,145@1080.m,146.m,153.t5,159.3v,281.s,358.e,359.f;0.0,25.18,46.t4,66.1k,67.l,84.5,86.2j,87.6,120.7,134@1080.m,135.m,153.t5,159.3v,281.s,358.e,359.f;0.0,25.18,46.t4,55@1080.l,56.l,67.1k,104.5,106.2j,107.6,121.7,124@1080.m,125.m,154.t5,160.3v,282.s,359.e,360.f;0.0,25.18,43@1080.l,44.l,46.t4,66.1k,88.5,90.2j,91.6,112@1080.m,113.m,120.7,153.t5,159.3v,281.s,358.e,359.f;0.0,25.18,33@1080.l,34.l,46.t4,66.1k,101@1080.m,102.m,108.5,110.2j,111.6,120.7,153.t5,159.3v,281.s,358.e,359.f;0.0,22@1080.l,23.l,25.18,46.t4,66.1k,90@1080.m,91.m,100.5,102.2j,103.6,120.7,153.t5,159.3v,281.s,358.e,359.f;0.0,12@1080.l,13.l,25.18,46.t4,67.1k,80@1080.m,81.m,85.5,87.2j,88.6,121.7,154.t5,160.3v,282.s,359.e,360.f
US 0.0,14.23,49.24,147.26,170.27,185.s,245.7,287.28,315.29,332.2a,359.e;0.0,19.23,47.24,145.26,169.27,184.s,243.7,285.28,314.29,330.2a,358.e;0.0,18.23,46.24,144.26,169.27,183.1e,184.s,249.7,284.28,314.29,329.2a,358.e;0.0,17.23,45.24,150.26,168.2b,169.27,184.s,185.1e,248.7,283.28,314.29,328.2a,357.1g,358.e,364.1h;0.0,16.23,51.24,149.26,170.27,185.s,247.7,282.28,314.2c,315.29,327.2a,359.e;0.0,14.23,49.24,147.26,169.27,184.s,245.7,280.28,314.29,315.2c,325.2a,358.e;0.0,20.23,48.24,146.26,169.27,184.s,244.7,286.28,314.29,331.2a,358.e;0.0,19.23,47.24,145.26,169.27,184.s,243.7,285.28,314.29,330.2a,358.e;0.0,18.23,46.24,151.26,169.2b,170.27,185.s,186.1e,249.7,284.28,315.29,329.2a,358.1g,359.e,365.1h
US-AL !14.23,!49.24,14.t6,49.t7,112.t8,154.t9;!19.23,!47.24,19.t6,47.t7,117.t8,152.t9;!18.23,!46.24,18.t6,46.t7,116.t8,151.t9;!17.23,!45.24,17.t6,45.t7,115.t8,157.t9;!16.23,!51.24,16.t6,51.t7,114.t8,156.t9;!14.23,!49.24,14.t6,49.t7,112.t8,154.t9;!20.23,!48.24,20.t6,48.t7,111.t8,153.t9;!19.23,!47.24,19.t6,47.t7,117.t8,152.t9;!18.23,!46.24,18.t6,46.t7,116.t8,158.t9
US-AK !49.24,!287.28,49.de,84.ta,287.tb,291.tc;!47.24,!285.28,47.de,89.ta,285.tb,290.tc;!46.24,!284.28,46.de,88.ta,284.tb,290.tc;!45.24,!283.28,45.de,87.ta,283.tb,290.tc;!51.24,!282.28,51.de,86.ta,282.tb,291.tc;!49.24,!280.28,49.de,84.ta,280.tb,290.tc;!48.24,!286.28,48.de,83.ta,286.tb,290.tc;!47.24,!285.28,47.de,89.ta,285.tb,290.tc;!46.24,!284.28,46.de,88.ta,284.tb,291.tc
US-AZ !14.23,!49.24,14.td,49.te;!19.23,!47.24,19.td,47.te;!18.23,!46.24,18.td,46.te;!17.23,!45.24,17.td,45.te;!16.23,!51.24,16.td,51.te;!14.23,!49.24,14.td,49.te;!20.23,!48.24,20.td,48.te;!19.23,!47.24,19.td,47.te;!18.23,!46.24,18.td,46.te
US-AR !14.23,!49.24,14.tf,49.tg,358.d;!19.23,!47.24,19.tf,47.tg,357.d;!18.23,!46.24,18.tf,46.tg,357.d;!17.23,!45.24,!357.1g,17.tf,45.tg,357.d;!16.23,!51.24,16.tf,51.tg,358.d;!14.23,!49.24,14.tf,49.tg,357.d;!20.23,!48.24,20.tf,48.tg,357.d;!19.23,!47.24,19.tf,47.tg,357.d;!18.23,!46.24,!358.1g,18.tf,46.tg,358.d
US-CA !49.24,!287.28,49.th,90.ti,91.tj,333.tk;!47.24,!285.28,47.th,89.ti,331.tk;!46.24,!284.28,46.th,89.ti,330.tk;!45.24,!283.28,45.th,89.ti,329.tk;!51.24,!282.28,51.th,90.ti,328.tk;!49.24,!280.28,49.th,89.ti,326.tk;!48.24,!286.28,48.th,89.ti,90.tj,332.tk;!47.24,!285.28,47.th,89.ti,331.tk;!46.24,!284.28,46.th,90.ti,330.tk
US-CA-LA ;;;;;;;;
US-CO !49.24,!287.28,49.tl,280.tm;!47.24,!285.28,47.tl,278.tm;!46.24,!284.28,46.tl,277.tm;!45.24,!283.28,45.tl,276.tm;!51.24,!282.28,51.tl,275.tm;!49.24,!280.28,49.tl,273.tm;!48.24,!286.28,48.tl,279.tm;!47.24,!285.28,47.tl,278.tm;!46.24,!284.28,46.tl,277.tm
US-CT 42.tn,88.5;42.tn,107.5;42.tn,92.5;42.tn,84.5;42.tn,104.5;42.tn,88.5;42.tn,108.5;42.tn,100.5;42.tn,85.5
US-DE !49.24,!287.28,88.5,309.5p,333.to;!47.24,!285.28,107.5,331.to;!46.24,!284.28,92.5,306.5p,330.to;!45.24,!283.28,84.5,329.to;!51.24,!282.28,104.5,311.5p,328.to;!49.24,!280.28,88.5,326.to;!48.24,!286.28,108.5,308.5p,332.to;!47.24,!285.28,100.5,331.to;!46.24,!284.28,85.5,306.5p,330.to
US-DC !287.28,106.3x,287.tb;!285.28,105.3x,285.tb;!284.28,105.3x,284.tb;!283.28,105.3x,283.tb;!282.28,106.3x,282.tb;!280.28,105.3x,280.tb;!286.28,105.3x,286.tb;!285.28,105.3x,285.tb;!284.28,106.3x,284.tb
US-FL !49.24,!287.28,45.tp,333.to;!47.24,!285.28,45.tp,331.to;!46.24,!284.28,45.tp,46.tq,330.to;!45.24,!283.28,45.tp,329.to;!51.24,!282.28,45.tp,328.to;!49.24,!280.28,45.tp,326.to;!48.24,!286.28,45.tp,332.to;!47.24,!285.28,45.tp,331.to;!46.24,!284.28,45.tp,330.to
US-GA !49.24,119.tr,333.tr,358.24;!47.24,117.tr,331.tr,357.24,359.ts;!46.24,116.tr,330.tr,357.24;!45.24,!357.1g,115.tr,329.tr,357.24;!51.24,114.tr,328.tr,358.24;!49.24,119.tr,326.tr,357.24;!48.24,118.tr,332.tr,357.24;!47.24,117.tr,331.tr,357.24,359.ts;!46.24,!358.1g,116.tr,330.tr,358.24
US-HI !49.24,!287.28,49.th,85.tt,88.5,162.tu,228.3q,309.tv;!47.24,!285.28,47.th,84.tt,107.5,161.tu,226.3q;!46.24,!284.28,46.th,84.tt,92.5,161.tu,232.3q,306.tv;!45.24,!283.28,45.th,84.5,161.tu,231.3q;!51.24,!282.28,51.th,85.tt,86.tw,104.5,162.tu,163.tx,230.3q,311.tv;!49.24,!280.28,49.th,84.tt,88.5,161.tu,228.3q;!48.24,!286.28,48.th,84.tt,108.5,161.tu,227.3q,308.tv;!47.24,!285.28,47.th,84.tt,100.5,161.tu,226.3q;!46.24,!284.28,46.th,85.5,162.tu,232.3q,306.tv
US-ID !14.23,!49.24,14.ty,49.de;!19.23,!47.24,19.ty,47.de;!18.23,!46.24,18.ty,46.de;!17.23,!45.24,17.ty,45.de;!16.23,!51.24,16.ty,51.de;!14.23,!49.24,14.ty,49.de;!20.23,!48.24,20.ty,48.de;!19.23,!47.24,19.ty,47.de;!18.23,!46.24,18.ty,46.de
US-IL 42.tn,63.tz,139.u0,309.5p;42.tn,61.tz,138.u0;42.tn,60.tz,138.u0,306.5p;42.tn,59.tz,138.u0;42.tn,65.tz,139.u0,311.5p;42.tn,63.tz,138.u0;42.tn,62.tz,138.u0,308.5p;42.tn,61.tz,138.u0;42.tn,60.tz,139.u0,306.5p
US-IN 88.5,127.u1,309.5p,333.tn;107.5,125.u1,307.5p,331.tn;92.5,124.u1,306.5p,330.tn;84.5,123.u1,305.5p,329.tn;104.5,122.u1,311.5p,328.tn;88.5,127.u1,309.5p,326.tn;108.5,126.u1,308.5p,332.tn;100.5,125.u1,307.5p,331.tn;85.5,124.u1,306.5p,330.tn
US-IA !287.28,42.tn,287.tb;!285.28,42.tn,285.tb;!284.28,42.tn,284.tb;!283.28,42.tn,283.tb;!282.28,42.tn,282.tb;!280.28,42.tn,280.tb;!286.28,42.tn,286.tb;!285.28,42.tn,285.tb;!284.28,42.tn,284.tb
US-KS !49.24;!47.24;!46.24;!45.24;!51.24;!49.24;!48.24;!47.24;!46.24
US-KY !49.24,88@840.5,358.d,365.1o;!47.24,107@840.5,357.d,364.1o;!46.24,92@840.5,357.d,364.1o;!45.24,!357.1g,!364.1h,84@840.5,357.d,364.1o;!51.24,104@840.5,358.d,365.1o;!49.24,88@840.5,357.d,364.1o;!48.24,108@840.5,357.d,364.1o;!47.24,100@840.5,357.d,364.1o;!46.24,!358.1g,!365.1h,85@840.5,358.d,365.1o
US-LA 43.ey,88.5,309.5p;62.ey,107.5;47.ey,92.5,306.5p;39.ey,84.5;59.ey,104.5,311.5p;43.ey,88.5;63.ey,108.5,308.5p;55.ey,100.5;40.ey,85.5,306.5p
US-LA-NO ;;;;;;;;
US-ME !49.24,49.u2,105.gi;!47.24,47.u2,110.gi;!46.24,46.u2,109.gi;!45.24,45.u2,108.gi;!51.24,51.u2,107.gi;!49.24,49.u2,105.gi;!48.24,48.u2,104.gi;!47.24,47.u2,110.gi;!46.24,46.u2,109.gi
US-MD !49.24,49.de,333.u3;!47.24,47.de,331.u3;!46.24,46.de,330.u3;!45.24,45.de,329.u3;!51.24,51.de,328.u3;!49.24,49.de,326.u3;!48.24,48.de,332.u3;!47.24,47.de,331.u3;!46.24,46.de,330.u3
US-MA 76.u4,105.gi,168.u5;75.u4,110.gi,167.u5;75.u4,109.gi,167.u5;75.u4,108.gi,167.u5;76.u4,107.gi,168.u5;75.u4,105.gi,167.u5;75.u4,104.gi,167.u5;75.u4,110.gi,167.u5;76.u4,109.gi,168.u5
US-MI 358.d,365.1o;357.d,364.1o;357.d,364.1o;!357.1g,!364.1h,357.d,364.1o;358.d,365.1o;357.d,364.1o;357.d,364.1o;357.d,364.1o;!358.1g,!365.1h,358.d,365.1o
US-MN !49.24,!287.28,49.u6,287.tb;!47.24,!285.28,47.u6,285.tb;!46.24,!284.28,46.u6,284.tb;!45.24,!283.28,45.u6,283.tb;!51.24,!282.28,51.u6,282.tb;!49.24,!280.28,49.u6,280.tb;!48.24,!286.28,48.u6,286.tb;!47.24,!285.28,47.u6,285.tb;!46.24,!284.28,46.u6,284.tb
US-MS !14.23,14.u7,119.t8;!19.23,19.u7,117.t8;!18.23,18.u7,116.t8;!17.23,17.u7,115.t8;!16.23,16.u7,114.t8;!14.23,14.u7,119.t8;!20.23,20.u7,118.t8;!19.23,19.u7,117.t8;!18.23,18.u7,116.t8
US-MO 42.tn,128.u8;42.tn,127.u8;42.tn,127.u8;42.tn,127.u8;42.tn,128.u8;42.tn,127.u8;42.tn,127.u8;42.tn,127.u8;42.tn,128.u8
US-MT !49.24,49.u9,309.5p,358.d,365.1o;!47.24,47.u9,307.5p,357.d,364.1o;!46.24,46.u9,306.5p,357.d,364.1o;!45.24,!357.1g,!364.1h,45.u9,305.5p,357.d,364.1o;!51.24,51.u9,311.5p,358.d,365.1o;!49.24,49.u9,309.5p,357.d,364.1o;!48.24,48.u9,308.5p,357.d,364.1o;!47.24,47.u9,307.5p,357.d,364.1o;!46.24,!358.1g,!365.1h,46.u9,306.5p,358.d,365.1o
US-NE !49.24,49.de,116.ua;!47.24,47.de,114.ua;!46.24,46.de,113.ua;!45.24,45.de,119.ua;!51.24,51.de,118.ua;!49.24,49.de,116.ua;!48.24,48.de,115.ua;!47.24,47.de,114.ua;!46.24,46.de,120.ua
US-NV !49.24,!287.28,49.ub,298.uc,326.79;!47.24,!285.28,47.ub,303.uc,331.79;!46.24,!284.28,46.ub,302.uc,330.79;!45.24,!283.28,45.ub,301.uc,329.79;!51.24,!282.28,51.ub,300.uc,328.79;!49.24,!280.28,49.ub,298.uc,326.79;!48.24,!286.28,48.ub,297.uc,325.79;!47.24,!285.28,47.ub,303.uc,331.79;!46.24,!284.28,46.ub,302.uc,330.79
US-NH !14.23,!49.24,!287.28,14.ud,49.de,309.5p,333.ue;!19.23,!47.24,!285.28,19.ud,47.de,331.ue;!18.23,!46.24,!284.28,18.ud,46.de,306.5p,330.ue;!17.23,!45.24,!283.28,17.ud,45.de,329.ue;!16.23,!51.24,!282.28,16.ud,51.de,311.5p,328.ue;!14.23,!49.24,!280.28,14.ud,49.de,326.ue;!20.23,!48.24,!286.28,20.ud,48.de,308.5p,332.ue;!19.23,!47.24,!285.28,19.ud,47.de,331.ue;!18.23,!46.24,!284.28,18.ud,46.de,306.5p,330.ue
US-NJ !49.24,42.tn,49.ub,88.5,309.5p;!47.24,42.tn,47.ub,107.5,307.5p;!46.24,42.tn,46.ub,92.5,306.5p;!45.24,42.tn,45.ub,84.5,305.5p;!51.24,42.tn,51.ub,104.5,311.5p;!49.24,42.tn,49.ub,88.5,309.5p;!48.24,42.tn,48.ub,108.5,308.5p;!47.24,42.tn,47.ub,100.5,307.5p;!46.24,42.tn,46.ub,85.5,306.5p
US-NM !49.24,49.th,333.ue;!47.24,47.th,331.ue;!46.24,46.th,330.ue;!45.24,45.th,329.ue;!51.24,51.th,328.ue;!49.24,49.th,326.ue;!48.24,48.th,332.ue;!47.24,47.th,331.ue;!46.24,46.th,330.ue
US-NY 42.tn,45.tp,309.5p;42.tn,45.tp,307.5p;42.tn,45.tp,306.5p;!45.24,42.tn,45.tp,305.5p;42.tn,45.tp,311.5p;42.tn,45.tp,309.5p;42.tn,45.tp,308.5p;42.tn,45.tp,307.5p;42.tn,45.tp,306.5p
US-NC !49.24,!287.28,88.5,333.ue,358.d;!47.24,!285.28,107.5,331.ue,357.d;!46.24,!284.28,92.5,330.ue,357.d;!45.24,!283.28,84.5,329.ue,356.uf;!51.24,!282.28,104.5,328.ue,356.uf,358.d;!49.24,!280.28,88.5,326.ue,357.d;!48.24,!286.28,108.5,332.ue,357.d;!47.24,!285.28,100.5,331.ue,357.d;!46.24,!284.28,85.5,330.ue,357.uf
US-ND !49.24,49.th;!47.24,47.th;!46.24,46.th;!45.24,45.th;!51.24,51.th;!49.24,49.th;!48.24,48.th;!47.24,47.th;!46.24,46.th
US-OH !49.24,49.tl;!47.24,47.tl;!46.24,46.tl;!45.24,45.tl;!51.24,51.tl;!49.24,49.tl;!48.24,48.tl;!47.24,47.tl;!46.24,46.tl
US-OK !49.24,49.th,333.ue;!47.24,47.th,331.ue;!46.24,46.th,330.ue;!45.24,45.th,329.ue;!51.24,51.th,328.ue;!49.24,49.th,326.ue;!48.24,48.th,332.ue;!47.24,47.th,331.ue;!46.24,46.th,330.ue
US-OR !49.24,49.ub;!47.24,47.ub;!46.24,46.ub;!45.24,45.ub;!51.24,51.ub;!49.24,49.ub;!48.24,48.ub;!47.24,47.ub;!46.24,46.ub
US-PA !49.24,49.th,165.3a;!47.24,47.th,164.3a;!46.24,46.th,164.3a;!45.24,45.th,164.3a;!51.24,51.th,165.3a;!49.24,49.th,164.3a;!48.24,48.th,164.3a;!47.24,47.th,164.3a;!46.24,46.th,165.3a
US-RI 224.3s;222.3s;221.3s;220.3s;226.3s;224.3s;223.3s;222.3s;221.3s
US-SC 130.t8,360.f;129.t8,359.f;129.t8,359.f;129.t8,359.f;130.t8,360.f;129.t8,359.f;129.t8,359.f;129.t8,359.f;130.t8,360.f
US-SD !49.24,!287.28,49.th,287.ug;!47.24,!285.28,47.th,285.ug;!46.24,!284.28,46.th,284.ug;!45.24,!283.28,45.th,283.ug;!51.24,!282.28,51.th,282.ug;!49.24,!280.28,49.th,280.ug;!48.24,!286.28,48.th,286.ug;!47.24,!285.28,47.th,285.ug;!46.24,!284.28,46.th,284.ug
US-TN !49.24,49.de,88.5,358.d;!47.24,47.de,107.5,357.d;!46.24,46.de,92.5,357.d;!45.24,!357.1g,45.de,84.5,357.d;!51.24,51.de,104.5,358.d;!49.24,49.de,88.5,357.d;!48.24,48.de,108.5,357.d;!47.24,47.de,100.5,357.d;!46.24,!358.1g,46.de,85.5,358.d
US-TX !49.24,49.th,333.ue,358.d,360.uh;!47.24,47.th,331.ue,357.d,359.uh;!46.24,46.th,330.ue,357.d,359.uh;!45.24,!357.1g,45.th,329.ue,357.d,359.uh;!51.24,51.th,328.ue,358.d,360.uh;!49.24,49.th,326.ue,357.d,359.uh;!48.24,48.th,332.ue,357.d,359.uh;!47.24,47.th,331.ue,357.d,359.uh;!46.24,!358.1g,46.th,330.ue,358.d,360.uh
US-UT !49.24,49.ui,205.uj;!47.24,47.ui,204.uj;!46.24,46.ui,204.uj;!45.24,45.ui,204.uj;!51.24,51.ui,205.uj;!49.24,49.ui,204.uj;!48.24,48.ui,204.uj;!47.24,47.ui,204.uj;!46.24,46.ui,205.uj
US-VT !49.24,!287.28,49.th,64.uk,231.ul,287.tb;!47.24,!285.28,47.th,62.uk,229.ul,285.tb;!46.24,!284.28,46.th,61.uk,228.ul,284.tb;!45.24,!283.28,45.th,60.uk,227.ul,283.tb;!51.24,!282.28,51.th,66.uk,233.ul,282.tb;!49.24,!280.28,49.th,64.uk,231.ul,280.tb;!48.24,!286.28,48.th,63.uk,230.ul,286.tb;!47.24,!285.28,47.th,62.uk,229.ul,285.tb;!46.24,!284.28,46.th,61.uk,228.ul,284.tb
US-VA !49.24,49.um,309.5p;!47.24,47.um;!46.24,46.um,306.5p;!45.24,45.um;!51.24,51.um,311.5p;!49.24,49.um;!48.24,48.um,308.5p;!47.24,47.um;!46.24,46.um,306.5p
US-WA !49.24,49.th;!47.24,47.th;!46.24,46.th;!45.24,45.th;!51.24,51.th;!49.24,49.th;!48.24,48.th;!47.24,47.th;!46.24,46.th
US-WV !49.24,45.tp,49.de,171.un,326.uo;!47.24,45.tp,47.de,170.un,331.uo;!46.24,45.tp,46.de,170.un,330.uo;!45.24,45.tp,170.un,329.uo;!51.24,45.tp,51.de,171.un,328.uo;!49.24,45.tp,49.de,170.un,326.uo;!48.24,45.tp,48.de,170.un,325.uo;!47.24,45.tp,47.de,170.un,331.uo;!46.24,45.tp,46.de,171.un,330.uo
US-WI 45.tp,253.u1,309.5p;45.tp,251.u1,307.5p;45.tp,250.u1,306.5p;!45.24,45.tp,256.u1,305.5p;45.tp,255.u1,311.5p;45.tp,253.u1,309.5p;45.tp,252.u1,308.5p;45.tp,251.u1,307.5p;45.tp,257.u1,306.5p
US-WY !49.24,49.de;!47.24,47.de;!46.24,46.de;!45.24,45.de;!51.24,51.de;!49.24,49.de;!48.24,48.de;!47.24,47.de;!46.24,46.de
UY 0.0,87.4,88.5,121.7,199.3,237.s,359.e;0.0,106.4,107.5,120.7,198.3,236.s,358.e;0.0,91.4,92.5,120.7,198.3,236.s,358.e;0.0,83.4,84.5,120.7,198.3,236.s,358.e;0.0,103.4,104.5,121.7,199.3,237.s,359.e;0.0,87.4,88.5,120.7,198.3,236.s,358.e;0.0,107.4,108.5,120.7,198.3,236.s,358.e;0.0,99.4,100.5,120.7,198.3,236.s,358.e;0.0,84.4,85.5,121.7,199.3,237.s,359.e
UZ 0.0,67.1k,80.gy,99@1080.up,100.up,129.uq,166@1080.j3,167.j3,168.ur,244.s,245.1e,274.us,342.3,343.95;0.0,66.1k,68.3e,79.gy,87@1080.up,88.up,89.ut,128.uq,155@1080.j3,156.j3,243.s,273.us,341.3;0.0,66.1k,67.3e,77@1080.up,78.up,79.gy,81.uu,128.uq,130.uv,145@1080.j3,146.j3,243.s,273.us,341.3;0.0,66.1k,67.up,79.gy,80.uu,128.uq,129.uv,134@1080.j3,135.j3,136.ur,243.s,273.us,341.3;0.0,2.1h,55@1080.up,56.up,57@1080.ut,58.ut,67.1k,80.gy,124@1080.j3,125.j3,129.uq,244.s,274.us,275.uw,342.3;0.0,43@1080.up,44.up,66.1k,79.gy,112@1080.j3,113.j3,128.uq,243.s,245.1e,273.us,341.3,343.95;0.0,33@1080.up,34.up,66.1k,79.gy,101@1080.j3,102.j3,103@1080.ur,104.ur,128.uq,243.s,244.1e,273.us,341.3,342.95;0.0,22@1080.up,23.up,66.1k,68.3e,79.gy,90@1080.j3,91.j3,128.uq,243.s,273.us,341.3;0.0,12@1080.up,13.up,67.1k,80.gy,81.j3,129.uq,130.uv,244.s,274.us,342.3
VA 0.ux,5.1,41.uy,72.uz,78.8m,87.4,88.5,89.2i,90.2j,91.6,92.v0,113.v1,121.v2,129.2e,139.3w,150.2f,180.8r,226.v3,227.9,228.v3,305.b,306.1s,342.c,359.e,360.f,361.v4,365.1o;0.ux,5.1,41.uy,71.uz,77.8m,106.4,107.5,108.2i,109.2j,110.6,111.v0,112.v1,120.v2,148.2e,158.3w,169.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,77.8m,91.4,92.5,93.2i,94.2j,95.6,96.v0,120.v2,127.v6,133.2e,143.3w,154.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,77.8m,83.4,84.5,85.2i,86.2j,87.6,88.v0,120.v2,125.2e,127.v6,135.3w,146.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,78.8m,103.4,104.5,105.2i,106.2j,107.6,108.v0,121.v2,128.v6,145.2e,155.3w,166.2f,180.8r,226.v3,227.9,228.v3,260.v5,305.b,306.1s,342.c,359.e,360.f,361.v4,365.1o;0.ux,5.1,41.uy,77.8m,87.4,88.5,89.2i,90.2j,91.6,92.v0,120.v2,127.v6,129.2e,139.3w,150.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,77.8m,107.4,108.5,109.2i,110.2j,111.6,112.v0,120.v2,127.v6,149.2e,159.3w,170.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,77.8m,99.4,100.5,101.2i,102.2j,103.6,104.v0,120.v2,127.v6,141.2e,151.3w,162.2f,179.8r,225.v3,226.9,227.v3,259.v5,304.b,305.1s,341.c,358.e,359.f,360.v4,364.1o;0.ux,5.1,41.uy,78.8m,84.4,85.5,86.2i,87.2j,88.6,89.v0,121.v2,126.2e,128.v6,136.3w,147.2f,180.8r,226.v3,227.9,228.v3,260.v5,305.b,306.1s,342.c,359.e,360.f,361.v4,365.1o
VC 0.0,73.v7,88.5,91.6,121.7,140.8,182.5i,183.ag,213.3x,300.s,301.1e,359.e,360.f;0.0,72.v7,107.5,110.6,120.7,159.8,187.5i,188.ag,212.3x,299.s,358.e,359.f;0.0,72.v7,92.5,95.6,120.7,144.8,186.5i,187.ag,212.3x,299.s,358.e,359.f;0.0,72.v7,73.v8,84.5,87.6,120.7,136.8,185.5i,186.ag,212.3x,213.sa,299.s,358.e,359.f,360.u;0.0,73.v7,104.5,107.6,121.7,156.8,184.5i,185.ag,213.3x,300.s,359.e,360.f;0.0,72.v7,88.5,91.6,120.7,140.8,182.5i,183.ag,212.3x,299.s,358.e,359.f;0.0,72.v7,108.5,111.6,120.7,160.8,181.5i,182.ag,212.3x,299.s,300.1e,358.e,359.f;0.0,72.v7,100.5,103.6,120.7,152.8,187.5i,188.ag,212.3x,299.s,358.e,359.f;0.0,73.v7,74.v8,85.5,88.6,121.7,137.8,186.5i,187.ag,213.3x,214.sa,300.s,359.e,360.f,361.u
VE 0.0,42.5n,43.2,87.4,88.5,90.2j,109.v9,121.7,175.va,186.s,205.vb,285.vc,358.d,359.e,365.1o;0.0,61.5n,62.2,106.4,107.5,108.v9,109.2j,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,46.5n,47.2,91.4,92.5,94.2j,108.v9,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,38.5n,39.2,83.4,84.5,86.2j,108.v9,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,58.5n,59.2,103.4,104.5,106.2j,109.v9,121.7,175.va,186.s,205.vb,285.vc,358.d,359.e,365.1o;0.0,42.5n,43.2,87.4,88.5,90.2j,108.v9,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,62.5n,63.2,107.4,108.v9,110.2j,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,54.5n,55.2,99.4,100.5,102.2j,108.v9,120.7,174.va,185.s,204.vb,284.vc,357.d,358.e,364.1o;0.0,39.5n,40.2,84.4,85.5,87.2j,109.v9,121.7,175.va,186.s,205.vb,285.vc,358.d,359.e,365.1o
VE-B 318.vd;317.vd;317.vd;317.vd;318.vd;317.vd;317.vd;317.vd;318.vd
VE-G 317.ve;316.ve;316.ve;316.ve;317.ve;316.ve;316.ve;316.ve;317.ve
VE-K 13.vf,148.vg;13.vf,147.vg;13.vf,147.vg;13.vf,147.vg;13.vf,148.vg;13.vf,147.vg;13.vf,147.vg;13.vf,147.vg;13.vf,148.vg
VE-K-BA 257.vh;256.vh;256.vh;256.vh;257.vh;256.vh;256.vh;256.vh;257.vh
VE-M 78.8m;77.8m;77.8m;77.8m;78.8m;77.8m;77.8m;77.8m;78.8m
VE-N 341.vi;340.vi;340.vi;340.vi;341.vi;340.vi;340.vi;340.vi;341.vi
VE-S 227.9;226.9;226.9;226.9;227.9;226.9;226.9;226.9;227.9
VE-V 297.vj,322.vk;296.vj,321.vk;296.vj,321.vk;296.vj,321.vk;297.vj,322.vk;296.vj,321.vk;296.vj,321.vk;296.vj,321.vk;297.vj,322.vk
VG 0.0,63.vl,70.d4,88.5,91.6,140.8,165.vm,182.vn,217.vo,218.vp,219.vq,294.vr,359.e,360.f;0.0,61.vl,68.d4,107.5,110.6,159.8,163.vm,180.vn,215.vo,216.vp,217.vq,292.vr,358.e,359.f;0.0,60.vl,67.d4,92.5,95.6,144.8,162.vm,179.vn,214.vo,215.vp,216.vq,291.vr,358.e,359.f,361.u;0.0,59.vl,66.d4,84.5,87.6,136.8,161.vm,185.vn,213.vo,214.vp,215.vq,294.vr,358.e,359.f,360.1g,361.u;0.0,65.vl,72.d4,104.5,107.6,156.8,160.vm,181.vn,219.vo,220.vp,221.vq,293.vr,359.e,360.f;0.0,63.vl,70.d4,88.5,91.6,140.8,165.vm,182.vn,217.vo,218.vp,219.vq,294.vr,358.e,359.f;0.0,62.vl,69.d4,108.5,111.6,160.8,164.vm,181.vn,216.vo,217.vp,218.vq,293.vr,358.e,359.f;0.0,61.vl,68.d4,100.5,103.6,152.8,163.vm,180.vn,215.vo,216.vp,217.vq,292.vr,358.e,359.f;0.0,60.vl,67.d4,85.5,88.6,137.8,162.vm,186.vn,214.vo,215.vp,216.vq,295.vr,359.e,360.f,361.1g,362.u
VI 0.0,5.vs,14.23,49.de,87.4,88.5,90.vt,91.6,147.26,170.27,184.3x,185.s,203.vu,245.7,287.vv,315.29,332.2a,359.e;0.0,5.vs,19.23,47.de,89.vt,106.4,107.5,110.6,145.26,169.27,183.3x,184.s,208.vu,243.7,285.vv,314.29,330.2a,358.e;0.0,5.vs,18.23,46.de,89.vt,91.4,92.5,95.6,144.26,169.27,183.3x,184.s,207.vu,249.7,284.vv,314.29,329.2a,358.e;0.0,5.vs,17.23,45.de,83.4,84.5,87.6,89.vt,150.26,168.2b,169.27,183.3x,184.s,185.1e,206.vu,248.7,283.vv,314.29,328.2a,357.1g,358.e,364.1h;0.0,5.vs,16.23,51.de,90.vt,103.4,104.5,107.6,149.26,170.27,184.3x,185.s,205.vu,247.7,282.vv,314.2c,315.29,327.2a,359.e;0.0,5.vs,14.23,49.de,87.4,88.5,89.vt,91.6,147.26,169.27,183.3x,184.s,203.vu,245.7,280.vv,314.29,315.2c,325.2a,358.e;0.0,5.vs,20.23,48.de,89.vt,107.4,108.5,111.6,146.26,169.27,183.3x,184.s,202.vu,244.7,286.vv,314.29,331.2a,358.e;0.0,5.vs,19.23,47.de,89.vt,99.4,100.5,103.6,145.26,169.27,183.3x,184.s,208.vu,243.7,285.vv,314.29,330.2a,358.e;0.0,5.vs,18.23,46.de,84.4,85.5,88.6,90.vt,151.26,169.2b,170.27,184.3x,185.s,186.1e,207.vu,249.7,284.vv,315.29,329.2a,358.1g,359.e,365.1h
VN 0.0,39.vw,40.vw,41.vw,42.vw,43.vw,108.vx,120.vy,121.7,245.p;0.0,27.vw,28.vw,29.vw,30.vw,31.vw,96.vx,119.vy,120.7,244.p;0.0,46.vw,47.vw,48.vw,49.vw,50.vw,115.vx,119.vy,120.7,244.p;0.0,35.vw,36.vw,37.vw,38.vw,39.vw,105.vx,119.vy,120.7,244.p;0.0,24.vw,25.vw,26.vw,27.vw,28.vw,94.vx,120.vy,121.7,245.p;0.0,42.vw,43.vw,44.vw,45.vw,46.vw,112.vx,119.vy,120.7,244.p;0.0,31.vw,32.vw,33.vw,34.vw,35.vw,101.vx,119.vy,120.7,244.p;0.0,21.vw,22.vw,23.vw,24.vw,25.vw,90.vx,119.vy,120.7,244.p;0.0,40.vw,41.vw,42.vw,43.vw,44.vw,109.vx,120.vy,121.7,245.p
VU 0.0,51.vz,52.3z,64.w0,88.5,91.6,121.7,129.2e,205.w1,211.s,227.9,228.3z,278.3,302.w2,359.e,360.w3,361.3z;0.0,51.vz,52.3z,63.w0,107.5,110.6,120.7,148.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,63.w0,92.5,95.6,120.7,133.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,63.w0,84.5,87.6,120.7,125.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,64.w0,104.5,107.6,121.7,145.2e,205.w1,211.s,227.9,228.3z,278.3,302.w2,359.e,360.w3,361.3z;0.0,51.vz,52.3z,63.w0,88.5,91.6,120.7,129.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,63.w0,108.5,111.6,120.7,149.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,63.w0,100.5,103.6,120.7,141.2e,204.w1,210.s,226.9,227.3z,277.3,301.w2,358.e,359.w3,360.3z;0.0,51.vz,52.3z,64.w0,85.5,88.6,121.7,126.2e,205.w1,211.s,227.9,228.3z,278.3,302.w2,359.e,360.w3,361.3z
WF 0.0,91.6,118.w4,121.7,128.3s,129.2e,140.8,180.w5,195.4l,210.a1,227.9,305.b,315.48,359.e;0.0,110.6,117.w4,120.7,127.3s,148.2e,159.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,95.6,117.w4,120.7,127.3s,133.2e,144.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,87.6,117.w4,120.7,125.2e,127.3s,136.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,107.6,118.w4,121.7,128.3s,145.2e,156.8,180.w5,195.4l,210.a1,227.9,305.b,315.48,359.e;0.0,91.6,117.w4,120.7,127.3s,129.2e,140.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,111.6,117.w4,120.7,127.3s,149.2e,160.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,103.6,117.w4,120.7,127.3s,141.2e,152.8,179.w5,194.4l,209.a1,226.9,304.b,314.48,358.e;0.0,88.6,118.w4,121.7,126.2e,128.3s,137.8,180.w5,195.4l,210.a1,227.9,305.b,315.48,359.e
XK 0.0,6.3l,47.s,90.2j,99.3,100.l,121.7,125.15,129.kb,166@1080.m,167.m,359.e;0.0,6.3l,47.s,87@1080.l,88.l,98.3,109.2j,120.7,128.kb,155@1080.m,156.m,358.e;0.0,6.3l,47.s,77@1080.l,78.l,94.2j,98.3,101.15,120.7,128.kb,145@1080.m,146.m,358.e;0.0,6.3l,47.s,66@1080.l,67.l,86.2j,98.3,120.7,121.15,128.kb,134@1080.m,135.m,358.e;0.0,6.3l,47.s,55@1080.l,56.l,99.3,106.2j,121.7,124@1080.m,125.m,129.kb,359.e;0.0,6.3l,43@1080.l,44.l,47.s,90.2j,97.15,98.3,112@1080.m,113.m,120.7,128.kb,358.e;0.0,6.3l,33@1080.l,34.l,47.s,98.3,101@1080.m,102.m,110.2j,117.15,120.7,128.kb,358.e;0.0,6.3l,22@1080.l,23.l,47.s,90@1080.m,91.m,98.3,102.2j,120.7,128.kb,358.e;0.0,6.3l,12@1080.l,13.l,47.s,80@1080.m,81.m,87.2j,99.3,121.7,122.15,129.kb,359.e
YT 0.0,91.6,117.4m,121.7,128.3s,129.2e,140.8,195.4l,227.9,305.b,315.48,359.e;0.0,110.6,116.4m,120.7,127.3s,148.2e,159.8,194.4l,226.9,304.b,314.48,358.e;0.0,95.6,116.4m,120.7,127.3s,133.2e,144.8,194.4l,226.9,304.b,314.48,358.e;0.0,87.6,116.4m,120.7,125.2e,127.3s,136.8,194.4l,226.9,304.b,314.48,358.e;0.0,107.6,117.4m,121.7,128.3s,145.2e,156.8,195.4l,227.9,305.b,315.48,359.e;0.0,91.6,116.4m,120.7,127.3s,129.2e,140.8,194.4l,226.9,304.b,314.48,358.e;0.0,111.6,116.4m,120.7,127.3s,149.2e,160.8,194.4l,226.9,304.b,314.48,358.e;0.0,103.6,116.4m,120.7,127.3s,141.2e,152.8,194.4l,226.9,304.b,314.48,358.e;0.0,88.6,117.4m,121.7,126.2e,128.3s,137.8,195.4l,227.9,305.b,315.48,359.e
ZA 0.0,80.ms,88.5,91.79,117.la,121.k5,149.w6,167.19,168.3z,221.w7,267.7n,350.w8,359.e,360.w9;0.0,79.ms,107.5,110.79,116.la,117.3z,120.k5,166.19,220.w7,266.7n,349.w8,358.e,359.w9;0.0,79.ms,92.5,95.79,116.la,120.k5,166.19,220.w7,221.3z,266.7n,349.w8,358.e,359.w9;0.0,79.ms,80.3z,84.5,87.79,116.la,120.k5,166.19,220.w7,266.7n,349.w8,358.e,359.w9,360.3z;0.0,80.ms,104.5,107.79,117.la,121.k5,167.19,221.w7,267.7n,268.3z,350.w8,359.e,360.w9;0.0,79.ms,88.5,91.79,116.la,120.k5,166.19,220.w7,266.7n,349.w8,350.3z,358.e,359.w9;0.0,79.ms,108.5,111.79,116.la,120.k5,166.19,167.3z,220.w7,266.7n,349.w8,358.e,359.w9;0.0,79.ms,100.5,103.79,116.la,117.3z,120.k5,166.19,220.w7,266.7n,349.w8,358.e,359.w9;0.0,80.ms,81.3z,85.5,88.79,117.la,121.k5,167.19,221.w7,267.7n,350.w8,359.e,360.w9,361.3z
ZM 0.0,68.mm,71.19,88.5,91.6,119.wa,121.7,145.wb,182.9x,183.4g,217.wc,291.wd,297.s,359.e;0.0,67.mm,70.19,107.5,110.6,117.wa,120.7,144.wb,145.we,187.9x,188.4g,215.wc,290.wd,296.s,358.e;0.0,67.mm,70.19,92.5,95.6,117.wa,120.7,144.wb,186.9x,187.4g,214.wc,290.wd,291.wf,296.s,358.e;0.0,67.mm,70.19,84.5,87.6,117.wa,120.7,144.wb,185.9x,186.4g,213.wc,290.wd,296.s,297.1e,358.e;0.0,68.mm,71.19,72.1a,104.5,107.6,118.wa,121.7,145.wb,184.9x,185.4g,219.wc,291.wd,297.s,359.e;0.0,67.mm,70.19,88.5,91.6,117.wa,120.7,144.wb,182.9x,183.4g,217.wc,290.wd,296.s,358.e;0.0,67.mm,70.19,108.5,111.6,118.wa,120.7,144.wb,181.9x,182.4g,216.wc,290.wd,296.s,358.e;0.0,67.mm,70.19,100.5,103.6,117.wa,120.7,144.wb,145.we,187.9x,188.4g,215.wc,290.wd,296.s,358.e;0.0,68.mm,71.19,85.5,88.6,118.wa,121.7,145.wb,186.9x,187.4g,214.wc,291.wd,297.s,298.1e,359.e
ZW 0.0,88.5,91.6,108.s,121.7,145.dc,224.9x,225.wg,356.4g,359.e,360.f;0.0,107.s,110.6,120.7,144.dc,222.9x,223.wg,355.4g,358.e,359.f;0.0,92.5,95.6,107.s,120.7,144.dc,221.9x,222.wg,355.4g,358.e,359.f;0.0,84.5,87.6,107.s,120.7,144.dc,220.9x,221.wg,355.4g,358.e,359.f;0.0,104.5,107.6,108.s,121.7,145.dc,220.wg,226.9x,356.4g,359.e,360.f;0.0,88.5,91.6,107.s,120.7,144.dc,224.9x,225.wg,355.4g,358.e,359.f;0.0,107.s,108.5,111.6,120.7,144.dc,223.9x,224.wg,355.4g,358.e,359.f;0.0,100.5,103.6,107.s,120.7,144.dc,222.9x,223.wg,355.4g,358.e,359.f;0.0,85.5,88.6,108.s,121.7,145.dc,221.9x,222.wg,356.4g,359.e,360.f`;
