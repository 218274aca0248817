using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Where the other gateways on a catalog reach this one.</summary>
public sealed class GatewayAddressTests
{
    private static readonly Dictionary<string, string> Nothing = new(StringComparer.Ordinal);

    [Theory]
    [InlineData("http://machine:8080", "http://*:8080")]
    [InlineData("http://machine:8080", "http://[::]:8080")]
    [InlineData("http://machine:8080", "http://0.0.0.0:8080")]
    [InlineData("http://machine:81", "http://anything:81")]
    [InlineData("http://machine", "http://+")]
    [InlineData("http://10.0.0.5:8080", "http://10.0.0.5:8080")]
    [InlineData("http://[fd00::5]:8080", "http://[fd00::5]:8080")]
    [InlineData("https://machine:8443", "https://*:8443")]
    [InlineData("http://machine:8080", "https://*:8443", "http://*:8080")]
    [InlineData("https://machine:8443", "http://localhost:8080", "https://*:8443")]
    [InlineData("http://localhost:8080", "http://localhost:8080")]
    [InlineData("http://127.0.0.1:8080", "http://127.0.0.1:8080")]
    public void By_default_it_is_where_the_gateway_listens(string expected, params string[] listening) =>
        Assert.Equal(expected, GatewayAddress.Of(listening, "machine"));

    [Theory]
    [InlineData("http://gateway1:8080", "http://gateway1:8080")]
    [InlineData("https://gateway1/", "https://gateway1")]
    public void The_environment_can_set_it(string set, string expected)
    {
        var reading = Gateway.Sources(new Dictionary<string, string?> { ["Gateway:Address"] = set }).Read(Nothing);
        Assert.Empty(reading.Faults);
        Assert.Equal(expected, reading.Settings.GatewayAddress);
        Assert.DoesNotContain(reading.Entries, static entry => entry.Path.StartsWith("Gateway", StringComparison.OrdinalIgnoreCase));
        Assert.Null(Gateway.Sources(new Dictionary<string, string?>()).Read(Nothing).Settings.GatewayAddress);
    }

    [Theory]
    [InlineData("gateway1:8080")]
    [InlineData("gateway1")]
    [InlineData("ftp://gateway1")]
    [InlineData("http://anna:secret@gateway1")]
    [InlineData("http://gateway1/?a=b")]
    public void Something_else_than_an_address_is_refused(string set)
    {
        var fault = Assert.Single(Gateway.Sources(new Dictionary<string, string?> { ["Gateway:Address"] = set }).Read(Nothing).Faults);
        Assert.Equal("Gateway:Address", fault.Path);
        Assert.Contains("http://gateway1:8080", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stored_setting_cannot_set_it()
    {
        var reading = Gateway.Sources(new Dictionary<string, string?>())
            .Read(new Dictionary<string, string>(StringComparer.Ordinal) { ["Gateway:Address"] = "http://gateway1" });
        Assert.Equal(new SettingFault("Gateway:Address", "there is no such setting."), Assert.Single(reading.Faults));
    }
}
