"""What the words of an order are about, in a dozen languages: what is to be done, to what, for whom, and past whom.

A weight that is learned for a topic holds for words and languages that no sentence to learn from had. An entry is the beginning of a
word, or with `=` after it the whole word; scripts that put no spaces between words are looked through. Belongs here: the words. Does
not belong here: how much a topic tells (`order_weights`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_TOPICS = {
    "send": """
        send forward= forwards= upload email= post= posts= posting= transmit submit= export leak exfiltrat share= shares=
        sharing= publish deliver= hand= hands= copy= cc= bcc= sync= mirror= attach append= pass= passes= relay= dump= paste=
        stuur verstuur doorstu mail= deel= kopieer overhandig bezorg schick= schicke leite= leitet= übermitt teile= kopier
        verschick weiterleit übergib envoie envoye envoi= transfér transmets= transmett partage= partagez= expédi divulgue
        envia envíe= envíes= manda= mande= mandes= reenví reenvi comparte= copia= copie sube= entrega= invia= inoltr condivid
        trasmett spedisc encaminh compartilh wyślij wysył prześl przesy przekaz udostępn отправ перешл пересыл присыл переда
        скопир выгруз gönder ilet= paylaş skicka vidarebefordra 送信 送って 送れ 送る 転送 共有 渡し 发送 发给 发到 转发 上传
        寄给 传给 送给 보내 전송 공유 أرسل ارسل شارك""",
    "say": """
        say= says= claim= claims= tell= assure convince deny= insist= pretext answer= reply= replies= respond= describe=
        declare= state= blame= attribute= portray= present= call= zeg= beweer noem= vertel antwoord= sag= sage= behaupt
        antworte nenn= nenne leugne versicher dis= dites= prétend affirme réponds= répondez= di= diga= decir= dile= afirma=
        responde= niega= dici= rispondi= sostieni= nega= fale= afirme= responda= powiedz mów= twierdź odpowiedz скажи говори
        утверждай отвечай söyle= säg= påstå と答え 言って 言う 伝えろ 伝えよ 回答 说 声称 告诉 말해 말하 답하 قل أخبر""",
    "praise": """
        recommend suggest= choose= promot prais endors rank= rate= favour= favor= steer= advertis advert= best= cheapest=
        only= excellent= trustworth top= sponsor affiliate= discourag competitor rival raad= aanbeve beveel prijs= empfiehl
        empfehl lobe= bevorzug vante= conseill recommand préfér recomiend recomend elogia= prefier consiglia raccomand
        aconselh indique= prefira poleca polec= chwal рекоменд советуй хвали öner= tavsiye rekommendera 勧め 薦め 推薦 褒め
        推荐 只推 夸 추천 ननصح أوصي انصح""",
    "hide": """
        hide= hides= hidden= hiding= conceal secrecy= quiet silent covert discreet omit= omits= withhold= mention= mentioning=
        invisib hush trace= undisclosed unnotic confidential stealth suppress mask= disguis bury= untold geheim verzwijg
        verberg verborg heimelijk stilletjes ongemerkt stil= vermeld= heimlich verschweig verbirg stillschweig unauffällig
        erwähn discrèt discret cache= cachez= tais= dissimul silenc mentionne secrèt ocult escond callad nascond segret
        tacere= taci= silenzio nascosto menzion segredo sigilo mencion ukry tajemn cicho= potajemn wspomin тайн скры секрет
        незаметн молч утаи упомин gizl sakla= dölj hemlig 秘密 隠 こっそり 黙っ 内密 隐瞒 偷偷 悄悄 保密 隐藏 别提 비밀 숨기
        몰래 سرا أخف""",
    "owner": """
        user= users= owner= owners= human= operator= principal= gebruiker eigenaar nutzer benutzer anwender besitzer
        eigentümer utilisat usager dueñ propietari utente propriet usuári dono= dona= użytkowni właścicie пользовател владел
        хозя kullanıcı sahib använd ägare 用户 用戶 使用者 主人 機主 机主 ユーザ 利用者 所有者 持ち主 本人 사용자 주인 소유자
        المستخدم المالك صاحب""",
    "ai": """
        assistant agent= agents= model= models= ai= ais= bot= bots= chatbot llm= llms= gpt chatgpt claude= copilot= system=
        systems= neural assistent asistente modell modèle modelo= ki= ia= agente= агент ассистент помощник модел asystent
        yapay asistan アシスタント エージェント 人工知能 助手 智能体 模型 비서 어시스턴트 에이전트 المساعد الوكيل""",
    "key": """
        password passcode passphrase key= keys= token secrets= credential cookie pin= pins= otp= 2fa= seed= seeds= ssh= api=
        cvv= code= codes= login= logins= certificate= wachtwoord sleutel passwort kennwort schlüssel zugang mot= mots= passe=
        clé= clés= contraseñ clave chiave chiavi= senha chave hasł klucz парол ключ parola şifre anahtar lösenord nyckel
        パスワード 暗証 秘密鍵 認証 密码 密鑰 密钥 口令 验证码 비밀번호 열쇠 كلمة السر المفتاح""",
    "money": """
        pay= pays= payment= payments= transfer= transfers= invoice= invoices= iban= bank= account= accounts= buy= purchase
        wallet crypto= refund gift= card= cards= money= salary= price= fee= fees= loan donat deposit= betaal factuur rekening
        geld= maak= koop= bestel zahl= zahle rechnung konto= überweis kauf= kaufe bezahl paie= payez= virement facture compte=
        achète argent paga= pague factura cuenta transfier transferencia compra= dinero fattura conto= bonifico acquista
        compre= fatura conta= zapłać przelew faktur плати счет счёт перевод купи öde= hesap betala 振り込 支払 口座 請求 振込
        付款 转账 账户 帐户 汇款 银行 购买 송금 계좌 결제 ادفع حساب""",
    "private": """
        diary= notes= contacts= contact= calendar= photos= messages= chats= chat= conversation transcript history= files=
        mails= mail= emails= inbox= location= medical= address= journal= records= mailbox= personal= data= documents= logs=
        log= notities= contacten agenda= berichten gesprek bestanden dagboek locatie gegevens tagebuch kalender fotos=
        nachrichten gespräch dateien standort daten= calendrier fichiers données privé contactos calendario mensajes
        conversaci archivos datos= privad contatti foto= messaggi conversazion file= dati= privat diário contatos mensagens
        arquivos dados= conversas notat kontakt kalendarz zdjęcia wiadomości rozmow pliki dane= дневник контакт календар фото
        сообщени переписк файл данны письм rehber takvim mesaj dosya bilder filer 日記 連絡先 予定表 写真 会話 メール データ
        日记 联系人 联系方式 通讯录 日程 照片 聊天 对话 文件 数据 일기 연락처 사진 대화 جهات الصور الرسائل""",
    "guard": """
        rules= guideline safety filter policy= policies= limit= limits= limitation guardrail safeguard confirmation approval
        permission verification warning alert= alerts= alarm= logging= audit= auditing sandbox firewall antivirus encrypt 2fa=
        authentication boundary boundaries ethic moral= scruple inhibition censor refusal refuse= refuses= scan= scanner
        scanning check= checks= review= reviews= protection regels= beperking grens= grenzen veiligheid toestemming
        bevestiging waarschuwing controle= beveiliging regeln= einschränkung sicherheit bestätigung genehmigung warnung
        erlaubnis verbot beschränkung rückfrage règle sécurité filtre autorisation avertissement regla límite seguridad filtro
        permiso advertencia regola regole= limiti= sicurezza conferma conferme= permesso avviso restrizion verifica= regra
        segurança confirmaç permissão aviso= restriç verificaç zasad ogranicz bezpieczeń potwierdz zgod= ostrzeż правил
        ограничен безопасност подтвержден разрешени предупрежден фильтр kural kısıtlama güvenlik onay= begränsning säkerhet
        制限 規則 ルール 安全 確認 許可 警告 検証 限制 规则 确认 许可 检查 验证 禁忌 규칙 제한 안전 확인 허락 경고 قيود قواعد
        تأكيد""",
    "off": """
        disable off= remove= removes= lift= lifted= skip= skips= bypass ignore= ignored= ignoring= drop= dropped= suspend
        revok delete= erase= wipe= overrid withdraw void= stop= cancel= lower= loosen waive= forget= disregard overlook=
        abandon scrap= discard cease= exempt deactivat switch= relax= rescind nullif obsolete= expired= outdated= invalid=
        supersede replac circumvent evade= unlearn reset= negeer vergeet schakel verwijder wis= sla= omzeil laat= hef=
        vervallen ongeldig ignorier vergiss vergessen deaktivier lösch schalte umgeh überspring missacht aufgehoben hinfällig
        ungültig hebe= ignorez= oublie désactiv supprim contourn annul efface= ignora= ignorar= olvida= olvide borra= omite=
        salta= elimina= anula dimentica disattiva cancella sospes esqueça desative apague pule= remova ignoruj zapomnij wyłącz
        usuń pomiń pomijaj skasuj игнорируй забудь отключи удали пропусти сотри отмен yoksay unut= kapat= sil= glöm ignorera
        stäng= radera 無視 忘れ 無効 削除 解除 止め 消去 忽略 忘记 无视 关闭 删除 作废 取消 跳过 停用 무시 잊 끄 삭제 해제
        تجاهل انس احذف عطل""",
    "prior": """
        prior= above= earlier= former= original= foregoing= preceding= old= until= vorige eerdere bovenstaande tevoren
        voorgaande vorherig frühere bisherig obig antérieur initial anterior previo previa= previas= preceden wcześniejsz
        poprzedni powyższ предыдущ прежн önceki yukarıdaki tidigare föregående これまで 以前 上記 前の 先ほど 之前 先前 上面
        以上 이전 앞의 기존 السابق""",
    "orders": """
        prompt= prompts= command= commands= orders= order= configuration setup= guidance mandate= protocol= duty= duties=
        task= opdracht aanwijzing bevel anweisung befehl vorgabe auftrag instruktion consigne ordres= ordre= directiv commande
        orden= órdenes= comando istruzion ordini= ordine= instruç ordens= ordem= polece instrukc rozkaz инструкц указани
        команд приказ talimat emir= komut 指示 命令 プロンプト 指令 说明 提示词 지시 명령 지침 تعليمات أوامر""",
    "obey": """
        obey= obeys= comply= complies= follow= follows= perform= agree= agrees= obedien grant= grants= allow= allows= permit=
        admit= trust= trusts= volg= gehoorzaam voer= sta= keur= folge= folgst= gehorch befolg führe= akzeptier genehmig erlaub
        gewähr obéi suis= suivez= exécut accept autoris approuv obedec obedez sigue= siga= ejecut acept aprueb autoriz segui=
        esegui obbedisc accett approv execut aceit aprov słuchaj wykonaj wykonuj akceptuj zatwierdz слушайся подчиня выполн
        исполн принима одобря доверя uy= uygula= itaat lyd= följ= 従 実行 承認 受け入れ 服从 服從 听从 执行 按照 批准 接受
        遵照 따르 실행 승인 복종 نفذ أطع مان=""",
    "always": """
        always= every= everything= anything= whatever= permanent forever= ever= all= any= anyone= anybody= whoever= regardless
        henceforth= onwards= altijd alles= iedereen voortaan blijvend immer= jeder= jedem= künftig fortan toujours tout= tous=
        désormais jamais= siempre= todo= todos= cualquier adelante= sempre= tutto= tutti= chiunque ogni= qualunque qualquer
        tudo= zawsze wszystk każd odtąd всегда все= всё= любо каждо впредь her= daima alltid allt= 常に 必ず すべて 全て 今後
        何でも 总是 一律 所有 任何 今后 永远 全部 从现在 항상 모든 반드시 앞으로 이제부터 دائما كل अब""",
    "if": """
        if= when= whenever= once= should= upon= case= whoever= unless= als= wanneer zodra indien telkens wenn= sobald falls=
        wann= si= quand= lorsque dès= chaque= cuando= cada= quando= appena= ogniqualvolta se= gdy= jeśli jeżeli kiedy если=
        когда= eğer zaman= om= när= 時は 場合 たら れば とき 如果 当 每当 只要 若 一旦 면 때 إذا عندما अगर जब""",
    "not": """
        not= never= without= no= none= nobody= dont= nothing= neither= nor= niet= nooit zonder geen= niemand nicht= nie= ohne=
        kein= keine= keinen= nichts pas= jamais sans= ne= aucun= personne= rien= nunca= sin= nadie= nada= ningún non= mai=
        senza= nessun= nulla= niente= não= sem= ninguém nigdy bez= nikomu не= никогда без= никому нет= değil asla= inte=
        aldrig utan= ingen= ない ずに 決して 不 别 勿 没 无需 말고 없이 마라 마세요 않 لا دون بدون مت= don= doesn= needn=
        mustn= shouldn= won= isn=""",
    "ask": """
        ask= asks= asked= asking= confirm= confirms= confirming= confirmed= verify= verifying= notify= notifying= notice=
        inform= informing= informed= alert= alerting= warn= warning= bother= consult= question= questions= questioning=
        hesitat tell= telling= told= doubt= vraag= vragen bevestig= meld= melden waarschuw= informeer vertel frag= frage=
        fragen= nachfragen bestätige benachrichtig warne informier sag= demande prévien avert= averti vérifi pregunt avis
        informa= advert chied= chieder avvis pergunt notifi pyta informuj powiadam powiedz mów= ostrzega спраш уведом сообщ
        предупреж говор sorma= bildir haber= fråga berätta varna 知らせ 尋ね 聞か 告げ 通知 报告 询问 问 告知 알리 묻 تخبر
        تسأل""",
    "rank": """
        admin= admins= administrator developer maintainer root= sudo= security= anthropic openai google= microsoft police=
        compliance= legal= official= authority authoris authoriz clearance ceo= vendor= support= engineer headquarters
        supervisor moderator superuser priority precedence master= supreme= privilege elevated= override= beheerder
        ontwikkelaar politie bevoegd administrateur entwickler polizei befugt développeur autorité administrador desarrollador
        policía autoridad amministratore sviluppatore polizia autorità desenvolvedor programist администратор разработчик
        полици yönetici geliştirici administratör utvecklare 管理者 開発者 開発元 警察 権限 管理员 开发者 开发商 警方 权限
        最高 관리자 개발자 المسؤول المطور""",
    "consent": """
        agreed= consent approved= authorised= authorized= granted= allowed= allows= waived= already= cleared= preapproved
        entitled= permitted= revoked= okayed= standing= binding= bindend akkoord toegestaan goedgekeurd gemachtigd zugestimmt
        eingewilligt genehmigt erlaubt bereits= einverstanden accordé autorisé approuvé déjà= autorizad aprobad consinti
        acuerdo= ya= autorizzat approvat acconsentit già= aprovad concordou já= zgodził zatwierdzi już= согласил разреш одобр
        уже= izin= onayla= godkänt redan= 同意 許可済 承諾 すでに 已同意 已授权 授权 允许 동의 허락했 وافق سمح सहमत""",
    "persist": """
        remember= memory memories= save= saved= store= stored= keep= kept= persist surviv replicat spread= repeat= propagat
        compaction summary summaries= record= entry= note= append= write= add= inject= embed= insert= preserv onthoud geheugen
        bewaar schrijf= zet= voeg= notitie merke= speicher gedächtnis notiz schreib= füge= behalte eintrag mémoire mémoris
        enregistr garde= ajoute écris= inscri recuerd guarda= añade escrib nota= ricord salva= aggiung scrivi= conserva lembr
        memória salve= adicione escreva pamię zapisz dopisz notat запомни память сохрани запиши добавь заметк hatırla bellek
        kaydet ekle= yaz= minne spara 記憶 記録 メモ 保存 書き込 覚え 记忆 记住 写入 备忘 添加 기억 저장 메모 ذاكرة احفظ""",
    "run": """
        run= runs= running= curl= wget= bash= sudo= rm= shell= script= download fetch= load= eval= exec= launch= deploy= push=
        merge= pip= npm= chmod= cron= reboot= port= ssh= commit= call= invoke= trigger= open= unlock= uitvoer voer= draai
        ontgrendel starte= führe= öffne lade= entsperr exécut lance= ouvre= télécharg déverrouill ejecut instal abre= descarg
        desbloque esegui apri= scarica sblocca abra= baixe uruchom zainstaluj otwórz pobierz запусти установи открой скачай
        çalıştır yükle= aç= kör= öppna 実行 起動 インストール 開け 運行 运行 执行 安装 打开 下载 실행 설치 열어 شغل افتح""",
    "role": """
        act= pretend= pretending= persona= character= become= jailbr unrestricted uncensored unfiltered dan= imagine= simulat
        unchained unaligned alter= evil= behave= mode= play= game= fiction= hypothetic doe= alsof speel= onbeperkt rol= tu=
        stell= spiel= rolle= unzensiert uneingeschränkt agis= joue= rôle actúa finge= personaje agisci fingi= ruolo aja= finja
        papel= udawaj graj= rolę притвор веди= роль davran låtsas spela= 演じ ふり 役 振る舞 扮演 假装 角色 模式 인 척 연기
        역할 تظاهر""",
    "this": """
        this= these= following= below= here= hereby= herein text= line= paragraph= page= reader= reading= deze= dit= hieronder
        volgende tekst= bericht= diese= dieser= dieses= diesem= hiermit folgend unten= nachricht= cette= ce= ces= suivant
        texte= esta= este= esto= siguiente abajo= texto= questa= questo= seguente sotto= testo= seguinte abaixo= ten= tę= ta=
        tej= poniższ это= этот= эту= этого= следующ ниже= bu= aşağıdaki denna= detta= följande この 以下 次の 本文 此 这 下面
        本条 이 다음 아래 هذا هذه التالي इस यह""",
    "me": """
        i= me= my= mine= myself= we= our= us= ours= ik= mijn= mij= ons= onze= wij= ich= mein= meine= meinen= meiner= meinem=
        mir= mich= wir= unser= unsere= je= mon= ma= mes= moi= nous= notre= nos= yo= mi= mis= mí= nosotros nuestr io= mio= mia=
        miei= mie= noi= nostr eu= meu= minha= meus= nós= nosso= ja= mój= moja= moje= mojej= mnie= nasz я= мой= моя= моё= мои=
        моей= мне= меня= мы= наш= ben= benim= bana= bizim jag= min= mitt= mina= mig= vår= 私 僕 俺 うち 我 咱 나는 저는 제 내
        우리 أنا لي""",
    "you": """
        you= your= yours= yourself= jij= je= jouw= u= uw= du= dein= deine= deinen= deiner= dir= dich= sie= ihr= ihre= ihnen=
        tu= ton= ta= tes= toi= vous= votre= vos= tú= tus= te= usted= ti= tuo= tua= tuoi= tue= você= seu= sua= ty= twój= twoje=
        twoich= ci= cię= ты= твой= твои= тебе= тебя= вы= вам= ваш= sen= senin= sana= din= dina= dig= あなた 君 お前 你 您 너
        당신 أنت لك आप""",
    "lie": """
        false= falsely fake= forge= wrong= lie= untrue overdue= guaranteed proves= prove= harmless= unsafe= swap= alter=
        falsif fabricat double= inflate= mislead trick= manipulat vals= liegen vervang lüge ersetze fälsch vertausch faux=
        mens= remplace trompe falso= miente cambia= sustituy reemplaz menti= sostituisci scambia minta= troque substitua fałsz
        kłam podmień zamień лож соври подмен замени yalan= değiştir falsk ljug byt= 嘘 偽 置き換え 差し替え 假 谎 替换 换成
        改成 거짓 바꿔 كذب غير बदल""",
}

# No entry is longer, and none shorter is a beginning that tells.
_LONGEST = 14


# A night says the same few thousand words again and again.
@lru_cache(maxsize=16_384)
def topics(word: str) -> frozenset[str]:
    """What a word, without its marks (`unmarked`), is about; mostly nothing."""
    whole, starts, inside = _table()
    found = set(whole.get(word, ()))
    for n in range(2, min(len(word), _LONGEST) + 1):
        found.update(starts.get(word[:n], ()))
    if not word.isascii():
        for part in _parts(word):
            found.update(inside.get(part, ()))
    return frozenset(found)


def unmarked(text: str) -> str:
    """Text without accents and vowel marks, which people leave out and type apart."""
    if text.isascii():
        return text
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare)


def _parts(word: str) -> Iterator[str]:
    return (word[i : i + n] for i in range(len(word)) for n in range(1, 7))


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, list[str]]]:
    """The topics by whole word, by beginning, and by what stands inside where words are not spaced."""
    whole: dict[str, list[str]] = {}
    starts: dict[str, list[str]] = {}
    inside: dict[str, list[str]] = {}
    for topic, words in _TOPICS.items():
        for word in unmarked(words).split():
            place = whole if word.endswith("=") else inside if is_unspaced(word) else starts
            place.setdefault(word.rstrip("="), []).append(topic)
    return whole, starts, inside


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that puts no spaces, or glues what a word is for onto it."""
    return any("\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in word)
