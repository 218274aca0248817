using System.Text;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Time.Testing;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.WebDav.Store;

namespace NzbDav.Conformance.Tests;

/// <summary>A server with a folder <c>/dav/s/</c> that stores everything, and the few requests that its tests consist of.</summary>
internal sealed class ScratchServer : IAsyncDisposable
{
    private readonly WebDavServer _server;

    private ScratchServer(WebDavServer server, StubCollection folder) => (_server, Folder) = (server, folder);

    public StubCollection Folder { get; }

    public FakeTimeProvider Clock => _server.Clock;

    public static async Task<ScratchServer> StartAsync()
    {
        var store = new StubStore();
        store.JunkPlaces.Add("s");
        var folder = store.Root.Add(new StubCollection("s") { Keeping = StoreKeeping.Everything });
        store.Root.Add(new StubCollection("films") { ReadOnly = true }).Add(new StubFile("film.mkv", new StubContent(1000)));
        store.Root.Add(new StubCollection("drop") { Keeping = StoreKeeping.Uploads });
        return new(await WebDavServer.StartAsync(store), folder);
    }

    /// <param name="method">The method.</param>
    /// <param name="name">Below <c>/dav/s/</c>, or a path from the root.</param>
    /// <param name="body">Sent with its length unless empty.</param>
    /// <param name="headers">Further headers.</param>
    public Task<RawResponse> SendAsync(string method, string name, string body = "", params (string Name, string Value)[] headers) =>
        _server.SendAsync(method, PathOf(name), Encoding.UTF8.GetBytes(body), headers);

    public async Task<int> StatusAsync(string method, string name, string body = "", params (string Name, string Value)[] headers) =>
        (await SendAsync(method, name, body, headers)).Status;

    public async Task PutAsync(params string[] names)
    {
        foreach (var name in names)
            Assert.Equal(
                201, await StatusAsync(name.EndsWith('/') ? "MKCOL" : "PUT", name, name.EndsWith('/') ? "" : "the bytes of " + name));
    }

    /// <summary>COPY or MOVE within the folder.</summary>
    public Task<int> TransferAsync(string method, string from, string to, params (string Name, string Value)[] headers) =>
        StatusAsync(method, from, "", [("Destination", PathOf(to)), .. headers]);

    /// <summary>Takes a lock and returns its token.</summary>
    public async Task<string> LockAsync(string name, string scope = "exclusive", string? depth = null, int status = 200)
    {
        var answer = await SendAsync("LOCK", name, LockBody(scope), depth is null ? [] : [("Depth", depth)]);
        Assert.Equal(status, answer.Status);
        var token = Regex.Match(
            answer["Lock-Token"]!, "^<(opaquelocktoken:[0-9a-f-]{36})>$", RegexOptions.None, TimeSpan.FromSeconds(1)).Groups[1].Value;
        Assert.NotEmpty(token);
        Assert.Contains(token, answer.Text, StringComparison.Ordinal);
        return token;
    }

    public static string LockBody(string scope, string owner = "<owner>me</owner>") =>
        $"<?xml version=\"1.0\"?><lockinfo xmlns='DAV:'><lockscope><{scope}/></lockscope><locktype><write/></locktype>{owner}</lockinfo>";

    public Task<RawResponse> FindAsync(string name, string props, string depth = "0") =>
        SendAsync("PROPFIND", name, $"<D:propfind xmlns:D='DAV:'><D:prop>{props}</D:prop></D:propfind>", ("Depth", depth));

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static string PathOf(string name) => name.StartsWith('/') ? name : "/dav/s/" + name;
}
