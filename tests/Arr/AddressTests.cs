using NzbDav.Arr.Client;

namespace NzbDav.Arr.Tests;

/// <summary>URL bases and redirects.</summary>
public sealed class AddressTests
{
    [Theory]
    [InlineData("/sonarr")]
    [InlineData("/sonarr/")]
    [InlineData("/sonarr/api/v3/")]
    [InlineData("")]
    public async Task ARR_04_A_URL_base_works_with_and_without_a_redirect(string written)
    {
        await using var fake = await FakeArr.StartAsync(urlBase: "/sonarr");
        using var client = new ArrClient(fake.Options() with { Url = fake.Root + written });

        Assert.Equal("/sonarr", (await client.SystemStatusAsync()).Value!.UrlBase);
        Assert.Null(await client.SearchAsync([1]));

        // Method and body are kept across the redirect.
        Assert.Equal("""{"name":"EpisodeSearch","episodeIds":[1]}""", Assert.Single(fake.Commands).ToJsonString());
    }

    [Fact]
    public async Task ARR_04_The_key_does_not_follow_a_redirect_to_another_server()
    {
        await using var other = await FakeArr.StartAsync();
        var asked = 0;
        other.Before = _ =>
        {
            asked++;
            return Task.FromResult(false);
        };
        await using var fake = await FakeArr.StartAsync();
        fake.Before = context =>
        {
            context.Response.Redirect(other.Root + context.Request.Path);
            return Task.FromResult(true);
        };
        using var client = fake.Client();

        var error = (await client.SystemStatusAsync()).Error!;

        Assert.Equal(ArrErrorKind.Redirected, error.Kind);
        Assert.Contains(other.Root, error.Message, StringComparison.Ordinal);
        Assert.Equal(0, asked);
    }

    [Theory]
    [InlineData("/login?returnUrl=x", "sign-in page")]
    [InlineData("/api/v3/system/status", "too many redirects")]
    public async Task ARR_04_A_redirect_to_a_sign_in_page_or_in_a_loop_is_an_error(string target, string words)
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Before = context =>
        {
            context.Response.Redirect(target);
            return Task.FromResult(true);
        };
        using var client = fake.Client();

        var error = (await client.SystemStatusAsync()).Error!;

        Assert.Equal(ArrErrorKind.Redirected, error.Kind);
        Assert.Contains(words, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ARR_04_An_HTML_page_is_not_accepted_as_an_answer()
    {
        await using var fake = await FakeArr.StartAsync();
        using var client = new ArrClient(fake.Options() with { Url = fake.Root + "/wrong" });

        Assert.Equal(ArrErrorKind.NotArr, (await client.QueueAsync()).Error!.Kind);
        Assert.Equal(ArrErrorKind.NotArr, (await client.SystemStatusAsync()).Error!.Kind);
    }

    [Theory]
    [InlineData("sonarr:8989")]
    [InlineData("ftp://sonarr")]
    [InlineData("http://user:pw@sonarr")]
    [InlineData("http://sonarr/?apikey=1")]
    public void ARR_04_An_invalid_address_is_refused_with_the_reason(string url) =>
        Assert.Contains(
            "address", new ArrOptions { Application = ArrApplication.Sonarr, Url = url, ApiKey = "k" }.Problem(), StringComparison.Ordinal);
}
