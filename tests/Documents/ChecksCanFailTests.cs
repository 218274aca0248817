namespace NzbDav.Documents.Tests;

/// <summary>Each check gets pages that it must reject and pages that it must accept.</summary>
public sealed class ChecksCanFailTests
{
    private static readonly string[] Files = [
        "README.md", "docs/one.md", "docs/two.md", "docs/pictures/a.webp", "tools/Bench", "backend/NzbDav.csproj"];

    private static readonly string[] Messages =
    [
        "[LoggerMessage(102, LogLevel.Warning, \"Provider {Provider} cannot be used: {Reason}\")]",
        "$\"it said \\\"{text}\\\". Try again later.\"; \"Next attempt in\"",
        "\"One line, \"\n    + \"and another.\"",
    ];

    [Theory]
    [InlineData("[gone](gone.md)", "there is no such file")]
    [InlineData("![gone](pictures/gone.webp)", "there is no such file")]
    [InlineData("[gone](../docs/gone.md#x)", "there is no such file")]
    [InlineData("[out](../../etc/passwd)", "there is no such file")]
    [InlineData("[gone][1]\n\n[1]: gone.md", "there is no such file")]
    [InlineData("| a |\n|---|\n| [gone](gone.md) |", "there is no such file")]
    [InlineData("[no heading](two.md#third)", "no heading")]
    [InlineData("[no heading](#here)", "no heading")]
    [InlineData("[root](/docs/two.md)", "begins with a slash")]
    [InlineData("[local](file:///etc/passwd)", "begins with https")]
    public void A_bad_link_is_found(string text, string fault) =>
        Assert.Contains(fault, Assert.Single(LinkFaults(text)), StringComparison.Ordinal);

    [Theory]
    [InlineData("[two](two.md)")]
    [InlineData("[two](two.md#two-words-and-code)")]
    [InlineData("[twice](two.md#again-1)")]
    [InlineData("# Sonarr & Co\n\n[here](#sonarr--co)")]
    [InlineData("[readme](../README.md) and [a folder](../tools/Bench)")]
    [InlineData("![picture](pictures/a.webp) and [outside](https://example.com/x#y)")]
    [InlineData("`[code](gone.md)`\n\n```\n[code](gone.md)\n```")]
    public void A_good_link_passes(string text) => Assert.Empty(LinkFaults(text));

    [Theory]
    [InlineData("`NzbDav__WebDav__Usrname=me`")]
    [InlineData("```sh\nexport NzbDav__Usenet__Providers__0__Hosts=x\n```")]
    [InlineData("```yaml\nenvironment:\n  NzbDav__Nothing: x\n```")]
    [InlineData("[a link](x.md) that says NzbDav__Rclone__Uri")]
    [InlineData("`WebDav:Usrname`")]
    [InlineData("```json\n{\"Usenet:Providers:0:Hosts\": \"x\"}\n```")]
    public void A_setting_that_does_not_exist_is_found(string text) =>
        Assert.Contains("no setting", Assert.Single(SettingNames.Faults(Made(text))), StringComparison.Ordinal);

    [Theory]
    [InlineData("`NzbDav__WebDav__Username`, `NzbDav__WebDav__Password_FILE` and `NzbDav__Usenet__Providers__12__Host`")]
    [InlineData("names under `NzbDav__`, such as `NzbDav__Section__Key`; all of `NzbDav__Arrs`")]
    [InlineData("`NzbDav__Usenet__Providers__N__Host`, `WebDav:Username`, `Usenet:Providers:0:Host`")]
    [InlineData("`http://localhost:8080`, `Microsoft:Other`, `12:30`")]
    public void A_setting_that_exists_passes(string text) => Assert.Empty(SettingNames.Faults(Made(text)));

    [Fact]
    public void A_setting_of_a_measurement_that_the_page_does_not_name_is_found()
    {
        const string Source = """settings["NzbDav__Starts__DiskMiB"] = "0"; if (settings["NzbDav__WebDav__Username"] == x) { }""";
        Assert.Contains(
            "NzbDav__Starts__DiskMiB", Assert.Single(SettingNames.Unnamed(Made("Figures."), [Source])), StringComparison.Ordinal);
        Assert.Empty(SettingNames.Unnamed(Made("Figures without starts (`NzbDav__Starts__DiskMiB`)."), [Source]));
    }

    [Theory]
    [InlineData("```sh\nnzbdav imprt FILE.nzb\n```", "no command imprt")]
    [InlineData("```sh\nnzbdav import --categry tv FILE.nzb\n```", "no option --categry")]
    [InlineData("```sh\nnzbdav backup --demo\n```", "no option --demo")]
    [InlineData("```\nnzbdav [--configuration DIR] [--urls URLS]\n```", "no option --configuration")]
    [InlineData("```sh\nnzbdav import \\\n  --catgory tv FILE.nzb\n```", "no option --catgory")]
    [InlineData("```sh\ndotnet run --project backend -- --dmo\n```", "no option --dmo")]
    [InlineData("```sh\nX=1 dotnet run --project backend -- nothing\n```", "no command nothing")]
    [InlineData("```sh\ndotnet run -c Release --project tools/Gone\n```", "no project tools/Gone")]
    [InlineData("```sh\ndocker compose exec nzbdav nzbdav imprt --config /config FILE.nzb\n```", "no command imprt")]
    [InlineData("`nzbdav --test-full-nzb --lines`", "no option --lines")]
    [InlineData("`nzbdav healthchek`", "no command healthchek")]
    [InlineData("```sh\ndocker run --rm -p 8080:8080 nzbdav --dmo\n```", "no option --dmo")]
    public void A_command_that_does_not_exist_is_found(string text, string fault) =>
        Assert.Contains(fault, Assert.Single(Commands.Faults(Made(text), IsThere)), StringComparison.Ordinal);

    [Theory]
    [InlineData("```sh\nnzbdav import 'Some Show.nzb' --category tv # to /content/tv\n```")]
    [InlineData("```\nnzbdav import [--config DIR] [--category NAME] FILE.nzb|FILE.torrent …\n```")]
    [InlineData(
        "```sh\ndotnet run --project backend -- --demo --urls http://localhost:8081\ndotnet run --project tools/Bench -- --contract\n```")]
    [InlineData(
        "```sh\ndocker compose up -d nzbdav --wait\ndocker run --rm nzbdav --demo\ndocker compose exec nzbdav cat /etc/hosts\ndocker " +
        "compose exec nzbdav nzbdav backup --config /config\ndocker compose exec nzbdav nzbdav migrate --config /config --from nzbdav " +
        "/old\n```")]
    [InlineData("`nzbdav-20261120.zip`, `nzbdav:8080` and `rclone mount nzbdav: /mnt/nzbdav --links`")]
    [InlineData("`nzbdav --test-full-nzb --help` and `nzbdav --test-torrent --stages stream pair --seconds 5`")]
    public void A_command_that_exists_passes(string text) => Assert.Empty(Commands.Faults(Made(text), IsThere));

    [Theory]
    [InlineData("sh", "if true; then")]
    [InlineData("sh", "curl 'http://localhost")]
    [InlineData("json", "{\"a\": }")]
    [InlineData("json", "{\"a\": 1, …}")]
    [InlineData("yaml", "a: [1, 2")]
    [InlineData("yaml", "a: 1\n  b: 2")]
    [InlineData("nginx", "server { proxy_bufering off; }")]
    [InlineData("caddy", "films.example.com {\n\treverse_proxi x\n}")]
    [InlineData("mermaid", "sequenceDiagram\n    participant A as One\n    A->>B: nobody declared B")]
    [InlineData("mermaid", "sequenceDiagram\n    participant A as One\n    loop for ever\n        A->>A: again")]
    [InlineData("mermaid", "flowchart TD\n    A[\"One\"] --> B")]
    [InlineData("mermaid", "flowchart TD\n    A[\"One\"] => A")]
    [InlineData("shel", "echo")]
    public async Task A_sample_that_does_not_parse_is_found(string language, string text)
    {
        var page = Made($"```{language}\n{text}\n```\n");
        var fault = await Samples.FaultAsync(page, Assert.Single(page.Blocks));
        Assert.StartsWith("docs/one.md:2: ", fault, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("sh", "curl -T 'Some Show.nzb' http://localhost:8080/ # with a note")]
    [InlineData("json", "{\"a\": [1, 2]}")]
    [InlineData("yaml", "services:\n  proxy:\n    ports: [\"80:80\"]")]
    [InlineData("nginx", "server {\n    listen 80;\n    location / { proxy_pass http://127.0.0.1:8080; }\n}")]
    [InlineData("caddy", "films.example.com {\n\treverse_proxy 127.0.0.1:8080\n}")]
    [InlineData("mermaid", "sequenceDiagram\n    participant A as One\n    loop for ever\n        A->>A: again\n    end")]
    [InlineData("mermaid", "flowchart TD\n    A[\"One\"] --> B[\"Two\"]\n    B -.->|\"back\"| A")]
    [InlineData("", "anything { at all")]
    public async Task A_sample_that_parses_passes(string language, string text)
    {
        var page = Made($"```{language}\n{text}\n```\n");
        Assert.Null(await Samples.FaultAsync(page, Assert.Single(page.Blocks)));
    }

    [Theory]
    [InlineData("`GET /api/v1/thing`", "GET /api/v1/thing")]
    [InlineData("`DELETE /api/v1/things`", "DELETE /api/v1/things")]
    [InlineData("`GET /api/v1/things/ID/part`", "GET /api/v1/things/ID/part")]
    [InlineData("`POST /api/v1/things/ID/cheque`", "POST /api/v1/things/ID/cheque")]
    [InlineData("Under `/api/v1/stuff` all is well.", "/api/v1/stuff")]
    [InlineData("`/health/redy`", "/health/redy")]
    [InlineData("```sh\ncurl -X PUT http://localhost:8080/api/v1/things\n```", "PUT /api/v1/things, which curl")]
    [InlineData(
        "```sh\ncurl -H \"X-Api-Key: $KEY\" \\\n  -d '{}' http://localhost:8080/api/v1/things/7\n```", "POST /api/v1/things/7, which curl")]
    public void A_call_that_no_route_answers_is_found(string text, string fault) =>
        Assert.Contains(Served().Faults(Made(text)), found => found.Contains(fault, StringComparison.Ordinal));

    [Theory]
    [InlineData("`GET /api/v1/things?text=x`, `POST /api/v1/things` and `/api/v1/things/{id}`")]
    [InlineData("`GET /api/v1/things/NAME`, `POST /api/v1/things/$ID/check`")]
    [InlineData("```sh\ncurl -X POST http://localhost:8080/api/v1/things/anna/check\n```")]
    [InlineData("Everything under `/api/v1` and `/api/v2/torrents/info`, see [it](x/health/gone.md).")]
    [InlineData("```sh\ncurl -H \"X-Api-Key: $KEY\" -d '{}' http://localhost:8080/api/v1/things\ncurl http://localhost:8080/health\n```")]
    public void A_call_that_a_route_answers_passes(string text) => Assert.Empty(Served().Faults(Made(text)));

    [Theory]
    [InlineData("Provider … cannot be usd: …")]
    [InlineData("Provider … cannot be used: … Next attempt in …")]
    [InlineData("it said \"…\". Try again soon.")]
    [InlineData("Provider http://localhost:8080 cannot be usd: …")]
    public void A_message_that_the_program_does_not_print_is_found(string line) =>
        Assert.Contains("no source file", Assert.Single(Quotes.Faults(Made($"```text\n{line}\n```"), Messages)), StringComparison.Ordinal);

    [Theory]
    [InlineData("Provider … cannot be used: …")]
    [InlineData("it said \"…\". Try again later.")]
    [InlineData("One line, and another.")]
    [InlineData("Provider http://localhost:8080 cannot be used: …")]
    public void A_message_that_the_program_prints_passes(string line) =>
        Assert.Empty(Quotes.Faults(Made($"```text\n{line}\n```"), Messages));

    private static Routes Served() =>
        new([("GET", "/api/v1/things"), ("POST", "/api/v1/things/"), ("GET", "/api/v1/things/{id}"), ("POST", "/api/v1/things/{id}/check"),
            ("GET", "/health"), ("GET", "/api/v2/{**call}")]);

    private static Page Made(string text) => new("docs/one.md", text);

    private static bool IsThere(string path) =>
        Array.Exists(Files, file => file == path || file.StartsWith(path + "/", StringComparison.Ordinal));

    private static IEnumerable<string> LinkFaults(string text)
    {
        var page = Made(text);
        var other = new Page("docs/two.md", "# Two words, and `code`\n\n## Again\n\n## Again\n");
        return Links.Faults(page, [page, other], IsThere);
    }
}
