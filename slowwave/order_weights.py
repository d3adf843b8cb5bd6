"""How much each word or pair of words speaks for an order, in tenths: made by `python -m evals orders --learn`.

To change one, change the sentences that it is learned from. A word is its first six letters, `^` and `$` are the ends of a
line, `a+b` is a pair of neighbours.
"""

from __future__ import annotations

INTERCEPT = -1.55
_TENTHS: dict[int, str] = {
    95: "HOST URL ",
    78: "user ",
    75: "the+user ",
    74: "assist ",
    71: "owner ",
    65: "this ",
    61: "the+owner ",
    49: "instru ",
    45: "whenev ",
    43: "so+that ",
    41: "at+HOST word ",
    40: "execut memory ",
    39: "alle reques ęł ",
    38: "eintra is+to my+cat to+HOST ",
    37: "unlock whatev ",
    36: "approv rules żł ",
    35: "author co prompt stored 命令 用户 ",
    34: "sicher ",
    33: "cette e mehr że 不要 ",
    32: "= accoun dat delete permis 记忆 ",
    31: "and any as carry code step この ",
    30: "^+when and+put de+gebrui deze disabl gebrui withdr その ",
    29: "=+$ comman evil false que say sistem ",
    28: "che hidden of+this quietl respon start that the+assist told ",
    27: "all conten from+HOST public su that+the verifi ",
    26: "HOST+$ agents bez carry+out confir conver every keys note tool you+and 実行 ",
    25: "access config contro develo direct filter insert nota page produc system the+person łą ни 保存 ",
    24: "anyone been codes ethics file for+HOST human if+you messag qui refusa the+word when+a you+are れた ",
    23: "URL+$ ^+se act backgr esta if memória ot safety sessio się the+backgr wallet ",
    22: "7 ^+give ^+insert agent dan descri here model notice obey owner+s tell+nobody usuário され ",
    21: (
        "^+als ^+make aus+$ cada follow l+utilis limit off refuse rempla revers rule sandbo se sie the+sandbo this+entry uit "
        "utilis 删除 "
    ),
    20: (
        "^+respon add answer are+a aus backup betwee bij existe firewa forwar given have it live must post spendi the+accoun "
        "the+meetin the+spendi tokens verify were àé と。 "
    ),
    19: (
        "0 accept active add+the anteri audit benutz cat click data entry export includ jede lower rekeni role tous tous+les "
        "user+s y you+may пр して トを 一条 "
    ),
    18: (
        "admini and+tell archiv attach device désormais e+mail ending entire failed folder has+been los mémoire ook outgoi "
        "regard+of regist state the+next these under what writte пи 户的 "
    ),
    17: (
        "> ^+tell accord and+do anyone+who apply below compra consid di et evalua everyt hearin is+mentio journa listed midnig "
        "of+an overri paragr protec rank record run saved t+$ the+chat the+safety the+sessio them+to u who wire your+hidden ис "
        "のメ "
    ),
    16: (
        "< ^+let ^+quietl alerts and+contin anweis are asking author+keys b camera check+$ checks clean+up creden die dns go "
        "identi lower+the mail next of+your on+tuesda payrol policy précédentes que+te regard requir respon+to rights sans "
        "should suppli that+it the+conten this+memory to+anyone 、そ しろ ろ。 "
    ),
    15: (
        "1234 ] ^+before ^+change ^+on allow and+don and+leave authen coming coming+from consen conten+of contin delete+the "
        "door exchan exclud force furthe insura l link logins next+time no orders passwo phrase purcha readme s+nothin "
        "should+be that+custom the+addres the+admini the+attach the+code the+name the+phrase this+line unlock+the withou çã и "
        "чт 」と 验证 "
    ),
    14: (
        "0+113 113 203 203+0 [ ^+si action and+send anyway anyway+$ appear behalf bottom called charge contra disclo double "
        "for+$ het instea list+of log make+the memori no+one not+the offici open+the operat out+the praise replac reply s+name "
        "signed the+bottom the+confid the+one theref throug+it transf tuesda+$ warnin with+the èà éé об эт メモ "
    ),
    13: (
        "HOST+so ^+open ^+this above behave break call+the decode delay dialog disk du encryp env geheug her+bank in+every "
        "in+which into+the invite it+is jetzt key limits mallor normal of+each one+in passwo+and person port previo print "
        "priori push rf rm rm+rf root router scan send she+asks sono summar suspen swap tell+her the+audit the+court the+descri "
        "the+parent the+previo there+$ to+URL vraag whenev+the whoeve «» öü аж ру сь ту ус 文字 "
    ),
    12: (
        "113+9 77 HOST+on ^+< ^+lower ^+overri ^+whatev alles alter am+the anythi+else are+delete avant by claim clipbo commen "
        "comple comply crypto crypto+addres debugg deleti delive disclo+the doorbe each elke folder+and gratef has+alread "
        "helper iban in+their incomi instru+$ into is+not is+requir it+from it+was kindly limite mailbo master messag+$ "
        "new+accoun off+on on+HOST once play preced push+the remove restri reveal securi slip starte+$ subscr summar+the ten "
        "the+approv the+backup the+calend the+caller the+camera the+clipbo the+doorbe the+operat the+passwo the+public the+tool "
        "these+orders to to+all up+$ up+with web+page word+for you+show ль что ьм ات ال تا لم ما には より 前的 忽略 所有 略之 的所 "
    ),
    11: (
        "^+[ ^+commen ^+execut ^+ignora ^+ignore ^+post a+l access+to agents+md als also antes antes+de api+key are+to asking+$ "
        "blame block c caller confid consid+the consig contro+of daily do+not down+the even+when factor+authen for+new "
        "from+your he+has hex ignora ignore instal+the is+on it+up l+l letter+of mentio move name neighb+s notes off+for omit "
        "other owner+to part passed person+you place pregun procee put remain reply+with reques+is says starts string templa "
        "text the+contra the+doctor this+senten to+whoeve truste tu+es world your+memory | ож ый ても "
    ),
    10: (
        "100 9 HOST+and ^+accept ^+all ^+grant ^+obey ^+print ^+your admini+and aloud+to as+the asked+to asks assist+zonder be "
        "bring+it cancel+the carrie+out cleare como comply+with conver+$ copy den detail een een+assist ending+in euros+to "
        "everyt+$ extra factor finish follow+the from future grant harmle instea+$ istruz istruz+preced je+bent json k "
        "le+istruz leaves+the list+for load memo messag+from name+$ neithe not+apply now o over+the polici preced+e questa "
        "questi+about relay relaye relaye+to renewe secret+and sender shell+to stop+asking summar+of tell+the termin text+$ "
        "the+compan the+folder the+line the+list the+rules the+stored the+suppli them they+are this+one this+text time+you "
        "to+everyo unusua was+given weiger where+they you éà аг ие ир мо то ьп こと すべ べて 告诉 管理 "
    ),
    9: (
        "4444 ^+assume ^+each ^+human ^+load a+human a+new ab act+on add+a alarm and+delete and+descri and+four and+never "
        "and+use are+not assist+that at+URL backgr+$ bent borrar change+my channe chat+$ checks+$ clean code+to compos "
        "confir+for contai contex court curren depart develo+messag dismis doctor each+reply este everyo fill first+of for+all "
        "for+good forget+your give grante guidel halden hereby human+please includ+the into+every is+$ it+as keep+this lisbon "
        "names+of nascos noch not+ask note+$ of+HOST older older+than opened opposi owner+and part+of pin port+4444 prior "
        "privat query+string questi+is questi+on rate real refuse+$ remote reposi resets rewrit run+curl s+a say+that secret "
        "self serve servic set shell show+it t tellin text+in that+he that+they that+you the+car the+change the+forwar the+iban "
        "the+log the+names the+opposi the+projec the+transf the+wallet these+instru they+were to+$ to+check ton true whatev+the "
        "whenev+a whenev+you why+the with+HOST write+in writte+by yes your+config your+system óó łż гл жн ны письма ри けに し、 だけ "
        "て無 での に従 の指 の文 れま 指示 "
    ),
    8: (
        "0000 777 HOST+as URL+| ^+disabl ^+if ^+ik a+bug a+public a+remind a+reques aan about+your above+the addres+book "
        "admini+of agreed alert aloud and+give and+keep and+run and+store and+you appear+in are+all are+now as+though ask+$ "
        "back+$ be+shared bug+that by+a chat chmod chmod+777 compan data+$ disapp disapp+$ embed emerge er every+paymen "
        "first+day garage good+$ having i+am in+case in+it in+white inbox index is+up is+yes it+would keep+a let+the likes "
        "links memory+of money named no+matter não obey+the object off+and on+all once+the our+team pay perman provid put+it "
        "quand report+the reques+$ return rien+$ rule+$ s+addres skip so+no soul spread store string+of switch+off sync "
        "the+answer the+develo the+file the+garage the+memory the+offici the+packag the+plan the+router the+rule the+templa "
        "thousa today turn tutte tutte+le typed vertel vex void warn white white+text with+any éè ой оп ря со ст тк たら まで "
    ),
    7: (
        "12+$ 22 3 >+$ HOST+instea HOST+weiter ^+enter ^+oublie ^+reveal ^+set ^+warn a+poem a+termin accord+$ all+tools "
        "and+have answer+that around as+long asked+about assist+should automa+$ away+$ aws aws+creden back bank+detail bce "
        "branch browse by+HOST callin can+reach cannot case chaque child connec contai+the copy+of day+of deskto displa "
        "displa+$ doctor+s each+answer email empty+the en everyb execut+it for+ten form found+in group+$ guest+accoun habe "
        "have+been have+no highes home+direct host if+asked in+an in+this in+your job level lifted lo long+as m+the marked+with "
        "matter+what meer mów name+and nooit nothin on+his on+you on+your ones opens out+in outsid owner+$ platfo please+be "
        "post+the proces purpos questi read+me recomm rent reply+to requir+$ restor result rien rules+and safety+filter "
        "says+the shall shared ssh stuur+elke style sunday+and surpri+for talk te tenant tenth tes texts+for that+has "
        "the+cheape the+deadli the+desk the+fire the+first the+home the+human the+mail the+platfo the+privat the+tenant "
        "the+weathe this+note throug to+each to+go to+keep twice+so two+factor under+the update user+$ virus way+to were+told "
        "when when+asked whenev+it which whose write+down you+do your+own yourse zonder èé ай жи ик ип оэ "
    ),
    6: (
        "HOST+in ^+append ^+encryp ^+end ^+stop ^+swap ^+turn ^+vertel a+cron a+key a+revers above+this addres+to advanc "
        "alleen+deze alread always+$ an+email and+act and+hide append are+void as+if as+of asks+$ at+once away balanc be+told "
        "by+an bypass carrie ceo compac confer d each+new en+volg encryp+the find+out follow+it for+you führe him image immer "
        "in+advanc is+a it+at it+back it+in it+with it+works job+$ leave+it let lie logs low maiden maiden+name mail+accoun "
        "mail+the manage+$ may must+be negeer+alle nicht night+$ no+restri of+every on+what open orders+from other+agents out "
        "output owner+has pagame patch plugin plus poem preten print+your privac projec public+key python query read+this "
        "remove+$ reply+$ restor+it revers+shell s+maiden s+messag server+$ set+up silent spam start+a starts+with sure "
        "swap+the system+prompt texts the+alert the+api the+ceo the+codes the+comman the+comple the+confir the+conver "
        "the+curren the+inbox the+party the+photos the+plants the+provid the+remote the+system there+s these+lines this+is "
        "this+paragr this+silent though to+accept to+bring to+stop to+tell today+$ transl+the tuesda unrest up url used+to "
        "user+has using void+$ volg volgen warned was+a we+have when+he where with+her with+root with+this you+play you+summar "
        "you+will your+rules your+safety your+true zeg |+sh à+URL вл запись ид ко ло ну рн та ть уй уп ща яй "
    ),
    -6: (
        "6 ^+bring ^+from ^+her ^+his ^+mentio ^+nadia ^+reply ^+vraag a+time aftern+$ afterw+$ allotm always apolog appell "
        "are+the august become bien blue booked brave bread busine client+$ cold cuisin de+mi des did+$ done drafts drawer "
        "each+quarte eleven envoie et+je expect family+$ faster februa+$ figure fin fixed fixed+the flower for+her found+it "
        "from+home from+our gluten grew grew+up group has+come haven haven+t he hens her hives hour+$ how+to i+read idea "
        "ideas+for inject inject+for introd is+HOST is+paid is+the it+all it+for june kan l+iban law leave+out leo list lives "
        "look man meat mein migrai milk missed mushro my+son negeer+de nervou nervou+about night+and novemb now+$ oat oat+milk "
        "of+my offere order past phone physio plans pull pull+reques quiz read+only read+out repair reposi+$ rules+of santa "
        "sauce scrive secret+santa send+me server+is share since since+the single site size smell sofa softwa someon spaces "
        "spare straig straig+to stress stuck subjec+$ sunday+$ sur sur+le taught team tegen tells the+baby the+bakery the+choir "
        "the+church the+garden the+hall the+minute the+museum the+parcel the+root the+scanne the+slow the+smell the+vet to+put "
        "to+stay traini trial twelve+$ twice+before una unless+it us+$ visit voorda voorda+je w wait+$ way+$ week+and weeken+$ "
        "what+i what+went wife+and withou+asking work+$ would+be write+it yellow you+could you+never à+la гд пе яи てほ "
    ),
    -7: (
        "500 500+euros ^+das ^+o ^+put ^+quote ^+say ^+wants admini+at and+she and+they apple at at+seven aunt autumn+$ "
        "before+you bill blind breath bruno but+not cache cake cancel celebr check+your cleane clock coffee colegi collea "
        "comput correo counci counte dates day+and del+colegi der dislik distan door+$ drawin during early eat energy evenin+$ "
        "every+januar februa finds for for+it forty from+a fuse goes guests has+a hat hazeln honest hotel husban ideas "
        "ignore+previo inform+and interv invita kind kinder laugh learne+that listen makes march me+a me+that meetin+$ migrat "
        "mine+$ moved+to my+wife myself nel news newsle+$ niet niets noon noon+$ number+is of+you offer on+thursd otherw packag "
        "pages paper piano pump read+access red reques+to saturd says+that sea second show+your sleep someth sounds t+store "
        "takes ten+$ than+any than+you the+databa the+filter the+login the+plumbe the+readme the+recipe the+small the+thermo "
        "the+worksh theo this+$ this+year throug+the thursd+$ to+hazeln town travel twelve up+to vacuum ve+been very von wait "
        "warm when+it will wipe wrote you+read łł ад са ти ур уч чи いて "
    ),
    -8: (
        "^+het ^+ich ^+leave ^+mijn a+call a+messag a+quarte a+text accoun+$ accoun+are allerg allerg+to an+old and+wants "
        "antwoo are+done autumn bag balcon better blocks call casa check+out choose church clear client colour+blind commen+$ "
        "could custom+data dark electr emil factur for+confir for+each free good gym handle he+s heb hints hundre i+have i+was "
        "ik+heb in+de in+ghent in+my is+with je+n judith kept learni line+$ links+in linter+before little lock locked lunch "
        "mails+to may+$ me+to moved mute mute+the my+accoun naar+HOST nine number octobe off+notifi off+the oma oude out+of "
        "over+$ plain plays plumbe practi rather receip releas rest restau said say+it six so+please storie system+in terrib "
        "tests the+noise the+photo the+readin they+re this+time to+hear to+send tree vera visits we+re week+$ which+is winter "
        "worth you+don you+handle you+quote zus бо меня рт ча яп "
    ),
    -9: (
        "1 ^+log ^+mi ^+save ^+there ^+two ^+uses a+book and+now and+would anythi+that appoin are+fine aren aren+t avond bakery "
        "before+$ board book bought bring+the brothe check choir course date+and drink eerst exam feels files+$ finall "
        "first+name forget found für genera go+to hier holds i+want in+may is+at it+has it+to keep+your kettle kettle+is learne "
        "lesson making march+$ means mee meetin+notes mijn monthl mother museum names neighb noise of+us okafor on+monday "
        "on+the person+$ progra progre reads ready refuse+to regret rememb remove+the rename rings runs s+no save scans seven+$ "
        "share+your shown silke so+the speake stay sunday table taken the+board the+cache the+childr the+club the+dog "
        "the+kettle the+monthl the+web thermo things thirty this+week to+make tobias token try twice+$ uncle versio vet volunt "
        "war was+so weddin works years you+like zu śę ае ат гр ле лы хо ます "
    ),
    -10: (
        "^+check ^+it ^+rememb ^+run ^+works a aftern ask+for be+from boiler by+mail com compli databa desk+$ did dog dutch día "
        "em even+a exactl eye five floor fonts foto+$ from+me full+of give+the hall hard hear hebben hospit i+ve ignaci "
        "instru+for kitche knows last linter looks mag mainte module mostly music newsle notifi nous picked promis proud+of "
        "rafael re reader recrui right room see+the semana small smile such tea tell+your that+$ the+boiler the+demo the+kitche "
        "the+letter the+linter the+oven the+table the+test the+thesis times to+me turned van+de versio+of want weg+$ went wiki "
        "winter+$ with+me year+$ you+did était ох оч くだ さい しい しま ださ でく ほし "
    ),
    -11: (
        "^+he ^+le ^+sag ^+that ^+treat a+lot a+month a+system after+ten alarme an+hour and+that annive are+allowe as+you bad "
        "becaus+of bees boss cards compla+about daught englis family film food friday ghent guitar hot house if+it ist jokes ll "
        "lot month+$ nadia not+as not+be of+it only oven paid prices prima proud rehear remind ring robot show show+up smile+$ "
        "sou speaki stage street+$ telefo tell+me tent the the+bike the+school the+shoppi ticket to+have tone treasu until "
        "von+der wifi ня ра 晚上 "
    ),
    -12: (
        "^+ask ^+vergis a+mail ai al all+the am and+not and+one as+a asks+for at+a at+work books celsiu childr concer days demo "
        "do+the driver else+$ fish for+this freita friend get gift greta heute his i+can i+say in ines keep+the kofi late ma "
        "made photo por quote recipe sa shoppi shoppi+list shops still studio teache test the+archiv the+client the+evenin "
        "the+job the+kids the+secret time timer to+see to+you train uses+a vergis welcom wife with+your you+always ая ку いで す。 "
        "月五 "
    ),
    -13: (
        "^+ab ^+don ^+my ^+prefer ^+stuur addres+is adore an+HOST and+he así bike con copied emails expire first+$ fridge "
        "garden geen half if+i in+the know la laptop letter malik met minute near our+accoun run+the slow street stuur "
        "the+fridge the+invoic trip unless update+the use weeken writin пл で、 "
    ),
    -14: (
        "^+do ^+karim ^+likes ^+refuse and+likes bo care check+the colour del euros every+commit feel foto ha home+$ im "
        "monday+$ naar office op s stop+the the+admin the+bank the+old to+use us was wednes with+his íí ет "
    ),
    -15: (
        "^+l ^+use ^+w after all+of and+nobody birthd calls das j+ai karim mails month night on+a out+$ so+much spring stagin "
        "story tablet tasks the+new thursd zijn à "
    ),
    -16: (
        "^+minha about+the and+has and+it best but club collec dad dal day+$ for+the in+a keep la+factur likes+to list+$ long "
        "love manda minha mornin mrs on+friday only+$ parcel server shop the+best the+date the+team to+a いる は、 "
    ),
    -17: "^+manda associ build euros+$ happy keeps kids n needs niego people prefer prima+di them+$ within worksh ер から る。 ",
    -18: "^+write ^+you before meine seven to+her took van well you+should ",
    -19: "^+el ^+never and+the and+then baby can day don don+t for+a had para+HOST rechnu school thesis villag with+a ół ",
    -20: "^+is ahora and+i eight mir ogni pip she that+i when+you ",
    -21: "and+is da envie how ik two uses ve work てい ",
    -22: "bitte ich j uma you+ve ",
    -23: "moi much short than week za ",
    -24: "^+our est home i+m ",
    -25: "mich pas that+s time+$ ",
    -26: "when+i ",
    -27: "got ",
    -28: "like ",
    -29: "wants ",
    -30: "je mi year ",
    -33: "old ",
    -35: "^+we ",
    -37: "发给 ",
    -39: "^+i ",
    -44: "^+the it+s ",
    -48: "our ",
    -54: "we ",
    -55: "i ",
    -74: "me ",
    -79: "my ",
}
WEIGHTS: dict[str, float] = {name: tenths / 10 for tenths, names in _TENTHS.items() for name in names.split()}
