using System.Net;
using System.Security.Cryptography;
using System.Text;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Addresses that players have from another program keep playing.</summary>
public sealed class MovedAddressTests
{
    [Fact]
    public async Task Nzbdav_addresses_play_with_their_own_keys_until_they_are_revoked()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (film, other) = (news.Post("film.mkv", 900_000), news.Post("other.mkv", 800_000));
        var (one, two) = (new FixtureFile("Film.mkv", film.Length, [FixturePart.Whole(film)]),
            new FixtureFile("Other.mkv", other.Length, [FixturePart.Whole(other)]));
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            fixture.Configure("api.strm-key", "the-signer");
            fixture.Add("movies", "Film", NzbWriter.ToBytes([film]), null, one);
            fixture.Add("movies", "Other", NzbWriter.ToBytes([other]), null, two);
        }

        await move.RunAsync("nzbdav");
        await using var server = ServerHere.Start(move.WithKey(), "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        using var nobody = new DavClient(client.Http.BaseAddress!.ToString());
        string Address(FixtureFile file, string key) => $"/view/{file.IdPath}?downloadKey={key}&extension=mkv";
        await nobody.AssertFileAsync(Address(one, Sha256($"{one.IdPath}_the-signer")), film);
        await nobody.AssertRangesAsync(Address(two, Sha256($"{two.IdPath}_the-signer")), other, count: 4, seed: 1);

        // The key of another file, a wrong key, and no key.
        foreach (var wrong in (string[])[Address(one, Sha256($"{two.IdPath}_the-signer")), Address(one, "abc"), $"/view/{one.IdPath}",
            $"/view/{one.IdPath}?downloadKey=", $"/view/content/movies/Film/Film.mkv?downloadKey={Sha256($"{one.IdPath}_the-signer")}"])
            Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", wrong)).Status);
        await RevokeAsync(client);
        Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", Address(one, Sha256($"{one.IdPath}_the-signer")))).Status);
        await client.AssertFileAsync("/dav/" + one.IdPath, film);
    }

    [Fact]
    public async Task Altmount_addresses_play_with_the_keys_of_its_users_and_open_nothing_else()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        var (film, own) = (news.Post("film.mkv", 900_000), news.Post("own.mkv", 700_000));
        var fixture = new AltmountFixture(old.Path);
        fixture.AddUser("an-api-key");
        fixture.AddUser("another-api-key");
        fixture.AddFirst("movies/First Film/First Film.mkv", film.Length,
            film.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        await move.RunAsync("altmount");

        await using var server = ServerHere.Start(move.WithKey(), "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/Own.nzb", NzbWriter.ToBytes([own]));
        await client.UntilAsync("/dav/content/movies/Own/own.mkv");
        using var nobody = new DavClient(client.Http.BaseAddress!.ToString());
        string Address(string path, string key) =>
            $"/api/files/stream?path={path.Replace(" ", "%20", StringComparison.Ordinal)}&download_key={key}";
        await nobody.AssertFileAsync(Address("movies/First Film/First Film.mkv", Sha256("an-api-key")), film);
        await nobody.AssertRangesAsync(Address("/movies/First Film/First Film.mkv", Sha256("another-api-key")), film, count: 4, seed: 2);

        // A file that altmount never had, a folder, and an unknown key.
        foreach (var (path, key) in ((string, string)[])[("content/movies/Own/own.mkv", "an-api-key"), ("movies/First Film", "an-api-key"),
            ("movies/First Film/First Film.mkv", "no-key")])
            Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", Address(path, Sha256(key)))).Status);
        Assert.Equal(HttpStatusCode.MethodNotAllowed,
            (await nobody.AskAsync("POST", Address("movies/First Film/First Film.mkv", Sha256("an-api-key")))).Status);
        await RevokeAsync(client);
        Assert.Equal(HttpStatusCode.NotFound,
            (await nobody.AskAsync("GET", Address("movies/First Film/First Film.mkv", Sha256("an-api-key")))).Status);
    }

    [Fact]
    public async Task Altmount_addresses_in_a_library_are_rewritten()
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        using var library = new Folder();
        var film = news.Post("film.mkv", 900_000);
        var fixture = new AltmountFixture(old.Path);
        fixture.AddFirst("movies/First Film/First Film.mkv", film.Length,
            film.Segments.Select(segment => (segment.MessageId, (long)segment.Size, 0L, segment.Size - 1L)));
        await move.RunAsync("altmount");
        var strm = Path.Combine(library.Path, "film.strm");
        File.WriteAllText(strm, "http://old:8080/api/files/stream?path=movies/First%20Film/First%20Film.mkv&download_key=0123");
        var link = Path.Combine(library.Path, "film.mkv");
        File.CreateSymbolicLink(link, "/mnt/altmount/movies/First Film/First Film.mkv");

        var environment = ServerProcess.Environment(news);
        (environment["NzbDav__WebDav__MountPath"], environment["NzbDav__Strm__Url"]) = ("/mnt/new", "http://127.0.0.1:1");
        var (exit, output, errors) = await ServerHere.RunAsync(environment, "links", "rewrite", "--config", folder.Path, library.Path);
        Assert.True(exit == 0, string.Join('\n', [.. output, .. errors]));
        Assert.Equal("2 links rewritten, 0 point here already, 0 point elsewhere and stay as they are.", Assert.Single(output));
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.AssertFileAsync(File.ReadAllText(strm)["http://127.0.0.1:1".Length..], film);
        await client.AssertFileAsync("/dav" + new FileInfo(link).LinkTarget!["/mnt/new".Length..], film);
    }

    private static string Sha256(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static async Task RevokeAsync(DavClient client)
    {
        using var request = new HttpRequestMessage(HttpMethod.Delete, "/api/v1/links?strm=true");
        request.Headers.Add("X-Api-Key", MoveFixture.Key);
        using var response = await client.Http.SendAsync(request);
        Assert.Equal(HttpStatusCode.NoContent, response.StatusCode);
    }
}
