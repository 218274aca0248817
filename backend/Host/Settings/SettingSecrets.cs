using System.Data.Common;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Settings;

/// <summary>Adds the secrets of the settings to the filter that removes them from logs and bundles.</summary>
public static class SettingSecrets
{
    /// <summary>Npgsql's keywords of secrets in a connection string, without their spaces.</summary>
    private static readonly string[] ConnectionSecrets = ["password", "pwd", "psw", "sslpassword"];

    /// <summary>A filter with all secrets of the settings.</summary>
    public static SecretFilter Filter(NzbDavSettings settings)
    {
        var filter = new SecretFilter();
        filter.AddSecrets(settings);
        return filter;
    }

    /// <summary>Adds all secrets of the settings to the filter; those added earlier stay.</summary>
    public static void AddSecrets(this SecretFilter filter, NzbDavSettings settings)
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentNullException.ThrowIfNull(settings);
        foreach (var provider in settings.Providers)
        {
            filter.Add(provider.Password, provider.Username);
            filter.Add(provider.Proxy?.Password, provider.Proxy?.User);
        }

        filter.Add(settings.Torrents.Proxy?.Password, settings.Torrents.Proxy?.User);
        filter.Add(settings.Api.Proxy?.Password, settings.Api.Proxy?.User);
        filter.Add(settings.WebDavPassword, settings.WebDavUsername);
        filter.Add(settings.Api.Key);
        filter.Add(settings.Api.ClientKey);
        filter.Add(settings.Api.AddKey);
        filter.Add(settings.Api.ReadKey);
        filter.Add(settings.Api.Rclone?.Password, settings.Api.Rclone?.Username);
        foreach (var password in settings.Import.Passwords)
            filter.Add(password);
        foreach (var header in settings.Operations.Otlp?.Headers?.Split(',') ?? [])
            filter.Add(header[(header.IndexOf('=', StringComparison.Ordinal) + 1)..]);
        filter.Add(settings.KeySecret);
        filter.Add(settings.Access.Oidc?.ClientSecret);
        filter.Add(settings.Access.ForwardAuthSecret);
        foreach (var arr in settings.Arrs)
            filter.Add(arr.Options.ApiKey);
        foreach (var indexer in settings.Indexers)
            filter.Add(indexer.ApiKey);
        if (settings.CatalogConnection is { } connection && Read(connection) is { } parts)
        {
            foreach (var key in SecretsOf(parts))
                filter.Add(parts[key].ToString());
        }
    }

    /// <summary>A connection string without its secrets, whatever their length and quotes; null: it cannot be read.</summary>
    internal static string? WithoutSecrets(string connection)
    {
        if (Read(connection) is not { } parts)
            return null;
        foreach (var key in SecretsOf(parts))
            parts[key] = Redaction.Mark;
        return parts.ConnectionString;
    }

    private static DbConnectionStringBuilder? Read(string connection)
    {
        try
        {
            return new DbConnectionStringBuilder { ConnectionString = connection };
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private static string[] SecretsOf(DbConnectionStringBuilder parts) =>
        [.. parts.Keys.Cast<string>()
            .Where(key => ConnectionSecrets.Contains(key.Replace(" ", "", StringComparison.Ordinal), StringComparer.OrdinalIgnoreCase))];
}
