using System.Net;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>API keys are shown only after the password is entered again.</summary>
public sealed class KeyTests
{
    private const string Path = "/api/v1/keys/show";

    [Fact]
    public async Task A_key_is_shown_only_for_the_right_password()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync(Path, new { key = "full" })).Status);
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync(Path, new { key = "full", password = "not this one" })).Status);
        Assert.Equal(HttpStatusCode.BadRequest, (await browser.PostAsync(Path, new { password = AccessServer.Password })).Status);
        Assert.Equal(
            HttpStatusCode.BadRequest, (await browser.PostAsync(Path, new { key = "master", password = AccessServer.Password })).Status);
        foreach (var (name, key) in new[] { ("full", AccessServer.FullKey), ("client", AccessServer.ClientKey),
            ("add", AccessServer.AddKey), ("read", AccessServer.ReadKey) })
            Assert.Equal(key, (await browser.PostAsync(Path, new { key = name, password = AccessServer.Password })).Json.GetProperty(
                "value").GetString());

        // The full key is sufficient: it gives at least the access of any key it would show.
        using var program = server.NewBrowser();
        Assert.Equal(AccessServer.ClientKey, (await program.PostAsync(
            Path, new { key = "client" }, ("X-Api-Key", AccessServer.FullKey))).Json.GetProperty("value").GetString());
        Assert.Equal(
            HttpStatusCode.Forbidden, (await program.PostAsync(Path, new { key = "client" }, ("X-Api-Key", AccessServer.ReadKey))).Status);
    }

    [Fact]
    public async Task Password_guesses_are_slowed_down()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        for (var guess = 0; guess < 11; guess++)
            Assert.Equal(
                HttpStatusCode.Forbidden, (await browser.PostAsync(Path, new { key = "full", password = $"guess number {guess}" })).Status);
        var slowed = await browser.PostAsync(Path, new { key = "full", password = "one guess more" });
        Assert.Equal(HttpStatusCode.TooManyRequests, slowed.Status);
        Assert.NotNull(slowed.Header("Retry-After"));
    }

    [Fact]
    public async Task A_user_without_a_password_names_an_administrator_who_has_one()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")], ForwardAuthHeader = "Remote-User" });
        using var browser = server.NewBrowser();
        var user = ("Remote-User", "carla");
        browser.CsrfToken = (await browser.GetAsync("/api/v1/session", user)).Json.GetProperty("csrfToken").GetString();
        var refused = await browser.PostAsync(Path, new { key = "full", password = AccessServer.Password }, user);
        Assert.Equal(HttpStatusCode.Forbidden, refused.Status);
        Assert.Contains("name and password of an administrator", refused.Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync(
            Path, new { key = "full", username = AccessServer.User, password = AccessServer.Password }, user)).Status);
        Assert.Equal(AccountOutcome.Done,
            (await server.Accounts.CreateAsync("bert", "long enough too", UserRole.Operator, CancellationToken.None)).Outcome);
        Assert.Equal(HttpStatusCode.Forbidden,
            (await browser.PostAsync(Path, new { key = "full", username = "bert", password = "long enough too" }, user)).Status);
    }
}
