using System.Security.Cryptography;
using System.Text;
using NzbDav.Api.Completion;
using NzbDav.Api.Native;
using NzbDav.Api.QBittorrent;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.Sab;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Api.Stremio;
using NzbDav.Content;
using NzbDav.Host.Arrs;
using NzbDav.Host.Settings;
using NzbDav.Usenet;

namespace NzbDav.Host.Serving;

/// <summary>Registers the HTTP interfaces.</summary>
internal static class ApiServices
{
    /// <summary>In bytes; as long as SABnzbd's own key.</summary>
    private const int KeyLength = 16;

    public static void AddApis(this IServiceCollection services)
    {
        services.AddSingleton<ISabTraffic, UsenetTraffic>();
        services.AddSingleton<RcloneRefresh>();
        services.AddSingleton<ICompletion>(provider => provider.GetRequiredService<RcloneRefresh>());
        services.AddHostedService(provider => provider.GetRequiredService<RcloneRefresh>());
        services.AddSab();
        services.AddQbit();
        services.AddSingleton<IQbitSettings, QbitSettings>();
        services.AddNative();
        services.AddStremio();
        services.ConfigureHttpJsonOptions(options =>
        {
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, ArrsJson.Default);
        });
    }

    /// <summary>
    /// The key that a server uses if none is configured: stored in <c>keys/</c> as 32 hexadecimal digits, created when it is first needed.
    /// </summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="name">The file's name.</param>
    public static string DefaultKey(string folder, string name) => Encoding.ASCII.GetString(
        SecretKey.ReadOrMake(Path.Combine(folder, "keys", name), KeyLength * 2,
            () => Encoding.ASCII.GetBytes(Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(KeyLength)))));
}

/// <summary>The traffic to the providers, for the interfaces.</summary>
internal sealed class UsenetTraffic(UsenetClient usenet, BufferBudget budget) : ISabTraffic
{
    public IReadOnlyList<ServerTraffic> Servers => [.. usenet.Providers.Select(provider =>
    {
        var status = provider.Status;
        return new ServerTraffic(
            status.Name, provider.Options.Host, provider.Options.Priority, status.OpenConnections, status.MaxConnections, status.Bytes,
            status.Articles, status.Counters.Asked, status.Reason);
    })];

    public long? SpeedLimit
    {
        get => usenet.SpeedLimit;
        set => usenet.SpeedLimit = value;
    }

    public (long Used, long Limit) Memory => (budget.Reserved, budget.Limit);
}

/// <summary>The settings for clients of the qBittorrent interface. Secrets are not readable here, and a change cannot send one to another
/// address. Thread-safe.</summary>
internal sealed class QbitSettings(SettingsBook book) : IQbitSettings
{
    /// <inheritdoc/>
    public IReadOnlyDictionary<string, QbitSetting> Read() => book.Entries.ToDictionary(
        static entry => entry.Path,
        static entry => new QbitSetting(
            entry.Kind == SettingKind.Secret ? null : entry.Value ?? entry.Default, entry.Least ?? 0, entry.Most ?? int.MaxValue),
        StringComparer.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public async Task<string?> ChangeAsync(IReadOnlyDictionary<string, string?> changes, CancellationToken cancellationToken)
    {
        var faults = await book.ChangeAsync(changes, movesSecrets: false, cancellationToken);
        return faults.Count == 0 ? null : string.Join(' ', faults);
    }
}
