using System.Globalization;

namespace NzbDav.FullNzbTester.Processes;

/// <summary>Accounts at mock providers, as a server reads them from its environment.</summary>
internal static class MockAccount
{
    public const string Username = "tester";
    public const string Password = "tester's";

    /// <summary>The name of one setting.</summary>
    /// <param name="index">Place among the accounts, from 0.</param>
    /// <param name="setting">Such as <c>Priority</c>.</param>
    public static string Key(int index, string setting) =>
        string.Create(CultureInfo.InvariantCulture, $"NzbDav__Usenet__Providers__{index}__{setting}");

    /// <summary>The settings of an account that needs no login.</summary>
    /// <param name="index">Place among the accounts, from 0.</param>
    /// <param name="name">Shown by the server.</param>
    /// <param name="port">Where the mock listens on this machine.</param>
    /// <param name="tls">True for TLS. The host is then given by name, because sessions are kept by host name.</param>
    /// <param name="connections">The most that the server may open.</param>
    public static Dictionary<string, string> Create(int index, string name, int port, bool tls, int connections) =>
        new(StringComparer.Ordinal)
        {
            [Key(index, "Name")] = name,
            [Key(index, "Host")] = tls ? "localhost" : "127.0.0.1",
            [Key(index, "Port")] = port.ToString(CultureInfo.InvariantCulture),
            [Key(index, "UseTls")] = tls ? "true" : "false",
            [Key(index, "MaxConnections")] = connections.ToString(CultureInfo.InvariantCulture),
        };

    /// <summary>The same for an account that logs in with <see cref="Username"/> and <see cref="Password"/>.</summary>
    public static Dictionary<string, string> CreateWithLogin(int index, string name, int port, bool tls, int connections) =>
        new(Create(index, name, port, tls, connections), StringComparer.Ordinal)
        {
            [Key(index, "Username")] = Username,
            [Key(index, "Password")] = Password,
        };
}
