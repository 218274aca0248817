using System.Security.Cryptography;
using Microsoft.AspNetCore.DataProtection;
using NzbDav.Catalog;

namespace NzbDav.Host.Settings;

/// <summary>
/// The settings that were made while the server ran: in the catalog, a row each. Secrets are encrypted (ASP.NET Core data protection; its keys are in
/// <c>keys/</c> of the configuration folder), so that a copy of the database alone gives nothing away. Thread-safe.
/// </summary>
internal sealed class StoredSettings
{
    private const string Prefix = "option.";
    private const char Plain = '=';
    private const char Encrypted = '*';

    private readonly SettingStore _store;
    private readonly IDataProtector _protector;

    /// <param name="store">Where they are.</param>
    /// <param name="folder">The configuration folder.</param>
    public StoredSettings(SettingStore store, string folder)
    {
        _store = store;
        _protector = ProtectorOf(folder);
    }

    /// <summary>All, by path, for a command that does one thing, maybe beside a server; what cannot be decrypted is left out.</summary>
    /// <param name="options">The catalog.</param>
    /// <param name="folder">The configuration folder, if the catalog is a copy elsewhere; null: that of the catalog.</param>
    /// <exception cref="CatalogException">They cannot be read.</exception>
    public static IReadOnlyDictionary<string, string> Peek(CatalogOptions options, string? folder = null) => Decode(SettingStore.Peek(options), ProtectorOf(folder ?? options.ConfigFolder)).Values;

    /// <summary>True when a key of the store is one of these.</summary>
    public static bool IsKey(string key) => key.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>All, by path; and those that cannot be read any more.</summary>
    public async Task<(IReadOnlyDictionary<string, string> Values, IReadOnlyList<SettingFault> Lost)> ReadAsync(CancellationToken cancellationToken) =>
        Decode(await _store.GetAllAsync(cancellationToken), _protector);

    /// <summary>Sets or, with null, removes; all of them or none, durably.</summary>
    public Task WriteAsync(IReadOnlyDictionary<string, string?> changes, Func<string, bool> isSecret, CancellationToken cancellationToken) =>
        _store.SetAsync(changes.ToDictionary(change => Prefix + change.Key, change => Encode(change.Value, isSecret(change.Key)), StringComparer.Ordinal), cancellationToken);

    private static IDataProtector ProtectorOf(string folder) =>
        DataProtectionProvider.Create(new DirectoryInfo(Path.Combine(folder, "keys")), builder => builder.SetApplicationName("NzbDav")).CreateProtector("NzbDav.Settings");

    private static (IReadOnlyDictionary<string, string> Values, IReadOnlyList<SettingFault> Lost) Decode(IReadOnlyDictionary<string, string> rows, IDataProtector protector)
    {
        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var lost = new List<SettingFault>();
        foreach (var (key, value) in rows)
        {
            if (!IsKey(key) || value.Length == 0)
                continue;
            var path = key[Prefix.Length..];
            try
            {
                values[path] = value[0] == Encrypted ? protector.Unprotect(value[1..]) : value[1..];
            }
            catch (CryptographicException)
            {
                lost.Add(new SettingFault(path, "it cannot be decrypted, because the keys it was encrypted with are gone (keys/ of the configuration folder): set it again."));
            }
        }

        return (values, lost);
    }

    private string? Encode(string? value, bool secret)
    {
        if (value is null)
            return null;
        return secret ? Encrypted + _protector.Protect(value) : Plain + value;
    }
}
