using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>Only clients that guess are slowed down.</summary>
public sealed class LimiterTests
{
    private const string Guesser = "192.0.2.66";

    [Fact]
    public async Task Ten_different_wrong_passwords_slow_an_address_down()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();

        // The owner is already known at this address.
        Assert.Equal(HttpStatusCode.OK, await TryAsync(browser, AccessServer.Password));
        for (var i = 0; i < 10; i++)
            Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, $"wrong guess {i}"));

        // The one attempt past the limit, and then nothing until a second has passed.
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "wrong guess 10"));
        var answer = await browser.PostAsync(
            "/api/v1/session", new { username = AccessServer.User, password = "wrong guess 11" }, (AccessServer.Peer, Guesser));
        Assert.Equal(HttpStatusCode.TooManyRequests, answer.Status);
        Assert.Equal("1", answer.Header("Retry-After"));
        Assert.Equal(HttpStatusCode.OK, await TryAsync(browser, AccessServer.Password));

        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "wrong guess 20", "192.0.2.67"));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "wrong guess 11"));
        Assert.Equal(HttpStatusCode.TooManyRequests, await TryAsync(browser, "wrong guess 12"));
        server.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "wrong guess 13"));
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "wrong guess 14"));
    }

    [Fact]
    public async Task The_same_wrong_password_over_and_over_counts_once()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        for (var i = 0; i < 30; i++)
            Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "an old password"));
        Assert.Equal(HttpStatusCode.OK, await TryAsync(browser, AccessServer.Password));
    }

    [Fact]
    public async Task A_password_tried_before_it_was_set_works_once_it_is_set()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, "the next password"));
        var path = $"/api/v1/users/{Uri.EscapeDataString(AccessServer.User)}/password";
        Assert.Equal(HttpStatusCode.NoContent, (await browser.SendAsync(
            HttpMethod.Put, path, new { password = "the next password" }, ("X-Api-Key", AccessServer.FullKey))).Status);
        Assert.Equal(HttpStatusCode.OK, await TryAsync(browser, "the next password"));
        Assert.Equal(HttpStatusCode.Unauthorized, await TryAsync(browser, AccessServer.Password));
    }

    [Fact]
    public async Task Wrong_keys_and_tokens_count_too_and_right_keys_keep_working()
    {
        await using var server = await AccessServer.StartAsync();
        using var client = server.NewBrowser();
        Assert.Equal(HttpStatusCode.OK, await AskAsync(client, AccessServer.ReadKey));
        for (var i = 0; i < 11; i++)
            Assert.Equal(HttpStatusCode.Unauthorized, await AskAsync(client, $"wrong key {i}"));
        Assert.Equal(HttpStatusCode.TooManyRequests, await AskAsync(client, "wrong key 11"));
        Assert.Equal(HttpStatusCode.OK, await AskAsync(client, AccessServer.ReadKey));
        Assert.Equal(HttpStatusCode.TooManyRequests, await TryAsync(client, "wrong password"));

        // Past the limit a right key that nobody has used before is refused too, or guessing would be possible.
        Assert.Equal(HttpStatusCode.TooManyRequests, await AskAsync(client, AccessServer.FullKey));
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HttpStatusCode.OK, await AskAsync(client, AccessServer.FullKey));
    }

    [Fact]
    public async Task Behind_a_trusted_proxy_the_client_counts_and_not_the_proxy()
    {
        await using var server = await AccessServer.StartAsync(new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")] });
        using var browser = server.NewBrowser();
        for (var i = 0; i < 11; i++)
            Assert.Equal(HttpStatusCode.Unauthorized, await ThroughAsync(Guesser, i));
        Assert.Equal(HttpStatusCode.TooManyRequests, await ThroughAsync(Guesser, 11));
        Assert.Equal(HttpStatusCode.TooManyRequests, await ThroughAsync($"198.51.100.1, {Guesser}", 12));
        Assert.Equal(HttpStatusCode.Unauthorized, await ThroughAsync("192.0.2.67", 13));

        async Task<HttpStatusCode> ThroughAsync(string forwarded, int guess) =>
            (await browser.PostAsync("/api/v1/session", new { username = AccessServer.User, password = $"wrong guess {guess}" },
                ("X-Forwarded-For", forwarded))).Status;
    }

    /// <summary>A wrong password costs a tenth of a second of processor, and anybody can send many: what streams need stays free.</summary>
    [Fact]
    public async Task Only_two_passwords_are_hashed_at_the_same_time()
    {
        await using var server = await AccessServer.StartAsync();
        var hasher = new CountingHasher();
        var accounts = new UserAccounts(server.Services.GetRequiredService<UserStore>(), server.Clock, hasher);
        hasher.Open.Reset();
        var tries = Enumerable.Range(0, 6).Select(number => Task.Factory.StartNew(
            () => accounts.CheckAsync(AccessServer.User, $"guess {number}", CancellationToken.None)
                .AsTask(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()).ToArray();
        var deadline = TimeProvider.System.GetTimestamp();
        while (hasher.Together.Now < 6 && (hasher.Together.Now < 2 || UserAccounts.Waiting < 4))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(deadline) < TimeSpan.FromSeconds(60), "two hash and four wait");
            await Task.Yield();
        }

        hasher.Open.Set();
        Assert.All(await Task.WhenAll(tries), Assert.Null);
        Assert.Equal((0, 2), hasher.Together);
    }

    /// <summary>A flood of guesses would fill the log and the disk.</summary>
    [Fact]
    public async Task Refused_attempts_are_logged_once_a_minute_with_their_number()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        for (var i = 0; i < 40; i++)
            await TryAsync(browser, $"wrong guess {i}");
        Assert.Single(server.Log.All, static line => line.Contains("were not looked at", StringComparison.Ordinal));
        server.Clock.Advance(TimeSpan.FromMinutes(1));
        await TryAsync(browser, "wrong guess 40");
        await TryAsync(browser, "wrong guess 41");
        Assert.Contains(server.Log.All, static line => line.Contains("29 attempts were not looked at", StringComparison.Ordinal));
    }

    private static async Task<HttpStatusCode> TryAsync(Browser browser, string password, string address = Guesser) =>
        (await browser.PostAsync("/api/v1/session", new { username = AccessServer.User, password }, (AccessServer.Peer, address))).Status;

    private static async Task<HttpStatusCode> AskAsync(Browser browser, string key) =>
        (await browser.GetAsync("/api/v1/look", ("X-Api-Key", key), (AccessServer.Peer, Guesser))).Status;
}
