using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Access;

namespace NzbDav.Conformance.Tests;

/// <summary>Basic authentication.</summary>
public class AccessTests
{
    private const string User = "jörg";
    private const string Password = "pä:ss\u65E5";

    private readonly StubCredentials _credentials = new(User, Password);

    [Fact]
    public async Task DAV_03_credentials_are_requested_and_checked()
    {
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        foreach (var method in (string[])["PROPFIND", "GET", "HEAD", "PUT", "DELETE", "BREW"])
        {
            var response = await server.SendAsync(method, "/dav/");
            Assert.Equal(401, response.Status);
            Assert.Equal("Basic realm=\"NzbDav\", charset=\"UTF-8\"", response["WWW-Authenticate"]);
            Assert.Null(response["Set-Cookie"]);
            Assert.Null(response["Location"]);
        }

        Assert.Equal(401, await AskAsync(server, Basic(User, "wrong")));
        Assert.Equal(401, await AskAsync(server, Basic("other", Password)));
        Assert.Equal(207, await AskAsync(server, Basic(User, Password)));
        Assert.Equal(207, await AskAsync(server, "bASIC " + Basic(User, Password)[6..]));
    }

    [Fact]
    public async Task DAV_03_latin1_credentials_of_gnome_files_are_accepted()
    {
        _credentials.Password = "pass word: ä?";
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        Assert.Equal(207, await AskAsync(server, "Basic " + Convert.ToBase64String(Encoding.Latin1.GetBytes($"{User}:pass word: ä?"))));
        Assert.Equal(401, await AskAsync(server, "Basic " + Convert.ToBase64String(Encoding.Latin1.GetBytes($"{User}:pass word: ö?"))));
    }

    [Theory]
    [InlineData("Basic")]
    [InlineData("Basic ")]
    [InlineData("Basic !!!!")]
    [InlineData("Basic bm9jb2xvbg==")]
    [InlineData("Basic /////w==")]
    [InlineData("Bearer abc")]
    public async Task DAV_03_malformed_credentials_are_401(string header)
    {
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        Assert.Equal(401, await AskAsync(server, header));
        Assert.Equal(0, _credentials.Checks);
    }

    [Fact]
    public async Task Checked_credentials_are_cached_for_a_while()
    {
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        var right = Basic(User, Password);
        for (var i = 0; i < 20; i++)
            Assert.Equal(207, await AskAsync(server, right));
        Assert.Equal(1, _credentials.Checks);
        server.Clock.Advance(TimeSpan.FromSeconds(61));
        Assert.Equal(207, await AskAsync(server, right));
        Assert.Equal(2, _credentials.Checks);

        _credentials.Password = "changed";
        Assert.Equal(207, await AskAsync(server, right));
        server.Authentication.Forget();
        Assert.Equal(401, await AskAsync(server, right));
        Assert.Equal(207, await AskAsync(server, Basic(User, "changed")));
    }

    [Fact]
    public async Task Only_clients_that_guess_are_slowed_down()
    {
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        var right = Basic(User, Password);
        Assert.Equal(207, await AskAsync(server, right));
        var answers = new List<int>();
        for (var i = 0; i < 30; i++)
            answers.Add(await AskAsync(server, Basic(User, $"guess {i}")));

        // Ten guesses, one more for the first second past the limit, then none.
        Assert.Equal(11, answers.Count(status => status == 401));
        Assert.Equal(19, answers.Count(status => status == 429));
        Assert.Equal(12, _credentials.Checks);

        // A client whose password was right before is not affected, even when its cached verdict has expired; a new client gets in within a
        // second or so.
        Assert.Equal(207, await AskAsync(server, right));
        server.Clock.Advance(TimeSpan.FromSeconds(70));
        Assert.Equal(401, await AskAsync(server, Basic(User, "one a second")));
        Assert.Equal(429, await AskAsync(server, Basic(User, "but not two")));
        Assert.Equal(207, await AskAsync(server, right));
        server.Authentication.Forget();
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(207, await AskAsync(server, right));
    }

    [Fact]
    public async Task The_same_wrong_password_repeated_is_one_guess()
    {
        await using var server = await WebDavServer.StartAsync(check: _credentials);
        for (var i = 0; i < 50; i++)
            Assert.Equal(401, await AskAsync(server, Basic(User, "old password")));
        Assert.Equal(1, _credentials.Checks);
        Assert.Equal(207, await AskAsync(server, Basic(User, Password)));
    }

    [Fact]
    public async Task Without_a_credential_check_or_open_access_all_requests_are_refused()
    {
        await using var server = await WebDavServer.StartAsync(configure: options => options.Anonymous = false);
        Assert.Equal(401, await AskAsync(server, Basic(User, Password)));
    }

    [Theory]
    [InlineData(true, "", 1)]
    [InlineData(false, Password, 1)]
    [InlineData(false, "wrong", 0)]
    public async Task The_host_hears_of_who_is_admitted_also_where_no_password_is_asked_for(bool isOpen, string password, int admitted)
    {
        var listener = new CountingListener();
        await using var server = await WebDavServer.StartAsync(check: isOpen ? null : _credentials, listener: listener);
        await AskAsync(server, Basic(User, password));
        Assert.Equal(admitted, listener.Admissions);
    }

    private static async Task<int> AskAsync(WebDavServer server, string authorization) =>
        (await server.SendAsync("PROPFIND", "/dav/", ("Depth", "0"), ("Authorization", authorization))).Status;

    private static string Basic(string user, string password) =>
        "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{password}"));

    private sealed class CountingListener : IAdmissionListener
    {
        private int _admissions;

        public int Admissions => Volatile.Read(ref _admissions);

        public void Admitted(HttpContext http) => Interlocked.Increment(ref _admissions);
    }
}
