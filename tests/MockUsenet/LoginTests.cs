using NzbDav.MockUsenet.Providers;

namespace NzbDav.MockUsenet.Tests;

public sealed class LoginTests
{
    private static readonly MockProviderOptions Guarded = new() { Username = "u", Password = "p" };

    [Fact]
    public async Task Nothing_is_served_before_login()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, Guarded);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("480 ", await probe.AskAsync($"STAT <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("480 ", await probe.AskAsync($"BODY <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("482 ", await probe.AskAsync("AUTHINFO PASS p"), StringComparison.Ordinal);
        Assert.Equal("381 Password required", await probe.AskAsync("AUTHINFO USER u"));
        Assert.Equal("281 Authentication accepted", await probe.AskAsync("authinfo pass p"));
        Assert.StartsWith("223 ", await probe.AskAsync($"STAT <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("502 ", await probe.AskAsync("AUTHINFO USER u"), StringComparison.Ordinal);
        Assert.Equal(1, provider.Stats.Logins);
    }

    [Theory]
    [InlineData("u", "wrong")]
    [InlineData("wrong", "p")]
    public async Task A_wrong_login_is_refused_and_can_be_retried(string user, string password)
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, Guarded);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.Equal("481 Authentication failed", await LoginAsync(probe, user, password));
        Assert.StartsWith("480 ", await probe.AskAsync("DATE"), StringComparison.Ordinal);
        Assert.StartsWith("281 ", await LoginAsync(probe, "u", "p"), StringComparison.Ordinal);
        Assert.Equal(1, provider.Stats.LoginsRefused);
    }

    [Fact]
    public async Task The_first_logins_can_be_refused()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, Guarded);
        provider.RefuseLogins = 2;
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("481 ", await LoginAsync(probe, "u", "p"), StringComparison.Ordinal);
        Assert.StartsWith("481 ", await LoginAsync(probe, "u", "p"), StringComparison.Ordinal);
        Assert.StartsWith("281 ", await LoginAsync(probe, "u", "p"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_logins_can_be_refused()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store, Guarded);
        provider.RefuseLogins = int.MaxValue;
        await using var probe = await Probe.OpenAsync(provider);
        for (var i = 0; i < 5; i++)
            Assert.StartsWith("481 ", await LoginAsync(probe, "u", "p"), StringComparison.Ordinal);
        Assert.Equal(int.MaxValue, provider.RefuseLogins);
    }

    [Fact]
    public async Task Without_credentials_any_login_is_accepted()
    {
        Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("281 ", await LoginAsync(probe, "any", "thing at all"), StringComparison.Ordinal);
    }

    private static async Task<string?> LoginAsync(Probe probe, string user, string password)
    {
        Assert.StartsWith("381 ", await probe.AskAsync("AUTHINFO USER " + user), StringComparison.Ordinal);
        return await probe.AskAsync("AUTHINFO PASS " + password);
    }

    [Fact]
    public async Task A_provider_that_refuses_bodies_accepts_logins_but_serves_no_article()
    {
        var file = Post.Seeded(out var store);
        await using var provider = MockProvider.Start(store);
        provider.RefuseBodies = true;
        await using var probe = await Probe.OpenAsync(provider);
        Assert.StartsWith("223 ", await probe.AskAsync($"STAT <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
        Assert.StartsWith("502 ", await probe.AskAsync($"BODY <{file.Segments[0].MessageId}>"), StringComparison.Ordinal);
    }
}
