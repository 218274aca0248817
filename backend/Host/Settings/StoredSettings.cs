using System.Security.Cryptography;
using Microsoft.AspNetCore.DataProtection;
using NzbDav.Access.Keys;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;

namespace NzbDav.Host.Settings;

/// <summary>
/// The settings that were changed while the server ran, one row each in the catalog. Secrets are encrypted (ASP.NET Core data protection;
/// its keys are in <c>keys/</c> of the configuration folder), so that a copy of the database alone reveals none, unless gateways share it:
/// then it holds the keys too. Thread-safe.
/// </summary>
internal sealed class StoredSettings
{
    private const string Prefix = "option.";
    private const char Plain = '=';
    private const char Encrypted = '*';

    private readonly SettingStore _store;
    private readonly IDataProtector _protector;

    /// <param name="store">The store that holds them.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="keySecret">Encrypts the keys there; null: they are stored in plain text.</param>
    public StoredSettings(SettingStore store, string folder, string? keySecret)
    {
        _store = store;
        _protector = ProtectorOf(folder, keySecret);
    }

    /// <summary>
    /// All settings by path, for a short command that may run beside a server; values that cannot be decrypted are left out.
    /// </summary>
    /// <param name="options">The catalog.</param>
    /// <param name="keySecret">Encrypts the keys; null: they are stored in plain text.</param>
    /// <param name="folder">The configuration folder, if the catalog is a copy elsewhere; null: that of the catalog.</param>
    /// <exception cref="CatalogException">They cannot be read.</exception>
    public static IReadOnlyDictionary<string, string> Peek(CatalogOptions options, string? keySecret, string? folder = null) =>
        Decode(SettingStore.Peek(options), ProtectorOf(folder ?? options.ConfigFolder, keySecret)).Values;

    /// <summary>Makes the keys that encrypt secrets, if there are none.</summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="keySecret">Encrypts the keys; null: they are stored in plain text.</param>
    public static void MakeKeys(string folder, string? keySecret) => ProtectorOf(folder, keySecret).Protect("");

    /// <summary>True if a key of the store belongs to a setting.</summary>
    public static bool IsKey(string key) => key.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>All settings by path, and the faults of those that can no longer be read.</summary>
    public async Task<(IReadOnlyDictionary<string, string> Values, IReadOnlyList<SettingFault> Lost)> ReadAsync(
        CancellationToken cancellationToken) =>
        Decode(await _store.GetAllAsync(cancellationToken), _protector);

    /// <summary>Sets values, or removes them where null; durable, and all or none.</summary>
    public Task WriteAsync(
        IReadOnlyDictionary<string, string?> changes, Func<string, bool> isSecret, CancellationToken cancellationToken) =>
        _store.SetAsync(changes.ToDictionary(change => Prefix + change.Key, change => Encode(change.Value, isSecret(change.Key)),
            StringComparer.Ordinal), cancellationToken);

    private static IDataProtector ProtectorOf(string folder, string? keySecret)
    {
        var keys = Path.Combine(folder, "keys");
        var ring = new KeyRingFolder(keys, keySecret);
        return DataProtectionProvider.Create(
            new DirectoryInfo(keys), builder => builder.SetApplicationName("NzbDav")
                .AddKeyManagementOptions(options => options.XmlRepository = ring)).CreateProtector("NzbDav.Settings");
    }

    private static (IReadOnlyDictionary<string, string> Values, IReadOnlyList<SettingFault> Lost) Decode(
        IReadOnlyDictionary<string, string> rows, IDataProtector protector)
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
                lost.Add(new SettingFault(path,
                    "it cannot be decrypted, because its encryption keys are gone (keys/ of the configuration folder): set it again."));
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
