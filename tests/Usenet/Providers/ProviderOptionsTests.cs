using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class ProviderOptionsTests
{
    private static readonly ProviderOptions Good = new() { Host = "news.example.com", Username = "me", Password = "pässwörd 🔑" };

    public static TheoryData<ProviderOptions, string> Faults => new()
    {
        { Good with { Host = "" }, "Host is empty" },
        { Good with { Host = "  " }, "Host is empty" },
        { Good with { Host = "https://news.example.com" }, "no host name or address" },
        { Good with { Host = "news.example.com:563" }, "no host name or address" },
        { Good with { Host = "news.example.com/path" }, "no host name or address" },
        { Good with { Host = "news example" }, "no host name or address" },
        { Good with { Host = new string('a', 300) }, "no host name or address" },
        { Good with { Port = 0 }, "Port is 0" },
        { Good with { Port = 65536 }, "Port is 65536" },
        { Good with { MaxConnections = 0 }, "MaxConnections is 0" },
        { Good with { MaxConnections = 501 }, "MaxConnections is 501" },
        { Good with { WarmConnections = -1 }, "WarmConnections is -1" },
        { Good with { Priority = -1 }, "Priority is -1" },
        { Good with { Priority = 100 }, "Priority is 100" },
        { Good with { Weight = 0 }, "Weight is 0: it must be 1 … 100" },
        { Good with { Weight = 101 }, "Weight is 101" },
        { Good with { RetentionDays = -1 }, "RetentionDays is -1" },
        { Good with { QuotaGigabytes = -1 }, "QuotaGB is -1" },
        { Good with { QuotaGigabytes = 5, QuotaPeriod = QuotaPeriod.Month, QuotaResetDay = 32 }, "QuotaResetDay is 32: it must be 1 … 31" },
        { Good with { QuotaGigabytes = 5, QuotaPeriod = QuotaPeriod.Week, QuotaResetDay = 8 }, "QuotaResetDay is 8: it must be 1 … 7" },
        { Good with { Username = "" }, "Username is empty" },
        { Good with { Username = "me\r\nQUIT" }, "control character" },
        { Good with { Password = "a\nb" }, "control character" },
        { Good with { Password = "a\0b" }, "control character" },
    };

    [Theory]
    [InlineData("news.example.com")]
    [InlineData("localhost")]
    [InlineData("192.0.2.7")]
    [InlineData("2001:db8::7")]
    [InlineData("[2001:db8::7]")]
    [InlineData("my_nas.local")]
    public void Valid_options_have_no_faults(string host) => Assert.Empty((Good with { Host = host }).Validate("P"));

    [Fact]
    public void Options_without_a_login_have_no_faults() => Assert.Empty((Good with { Username = "", Password = "" }).Validate("P"));

    [Theory]
    [MemberData(nameof(Faults))]
    public void Each_fault_is_one_line_with_its_place_and_cause(ProviderOptions options, string said)
    {
        var fault = Assert.Single(options.Validate("NzbDav:Usenet:Providers:2"));
        Assert.StartsWith("NzbDav:Usenet:Providers:2:", fault, StringComparison.Ordinal);
        Assert.Contains(said, fault, StringComparison.Ordinal);
        Assert.DoesNotContain("pässwörd", fault, StringComparison.Ordinal);
    }

    [Fact]
    public void All_faults_are_reported_together() =>
        Assert.Equal(5, new ProviderOptions { Port = 0, MaxConnections = 0, Priority = -1, WarmConnections = -1 }.Validate("P").Count());

    [Theory]
    [InlineData(null, 50, 20)]
    [InlineData(null, 8, 8)]
    [InlineData(3, 8, 3)]
    [InlineData(30, 8, 8)]
    [InlineData(0, 8, 0)]
    public void The_warm_connections_stay_within_the_account(int? warm, int most, int floor) =>
        Assert.Equal(floor, (Good with { WarmConnections = warm, MaxConnections = most }).WarmFloor);
}
