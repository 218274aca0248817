using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>The settings of SABnzbd that exist in this program too.</summary>
internal static class SabnzbdSettings
{
    public static OldSettings Of(SabnzbdIni ini)
    {
        var left = new List<string>();
        var providers = new List<OldProvider>();
        foreach (var section in ini.Below("servers"))
        {
            var host = ini.Value(section, "host") is { Length: > 0 } named ? named : section[(section.IndexOf('/') + 1)..];
            if (ini.Number(section, "enable", 1) == 0)
            {
                left.Add($"The Usenet account {host}: it is switched off there.");
                continue;
            }

            var password = ini.Password(section, "password");
            if (password is null)
                left.Add(
                    $"The password of the Usenet account {host}: sabnzbd.ini holds it in a form that cannot be read back. Enter it anew.");
            var tls = ini.Number(section, "ssl", 0) != 0;
            providers.Add(new OldProvider
            {
                Name = ini.Value(section, "displayname"),
                Host = host,
                Port = ini.Number(section, "port", tls ? 563 : 119),
                UseTls = tls,
                VerifyCertificate = ini.Number(section, "ssl_verify", 3) > 0,
                User = ini.Value(section, "username"),
                Password = password ?? "",
                Connections = ini.Number(section, "connections", 8),
                Priority = Math.Clamp(ini.Number(section, "priority", 0), 0, 99),
            });
        }

        left.Add("The API key: this program makes its own. Enter it in Sonarr and Radarr, or let the page register this server there.");
        return new OldSettings
        {
            Providers = providers,
            Categories = [.. ini.Below("categories").Select(section => section[(section.IndexOf('/') + 1)..]).Where(name => name != "*")],
            NotMigrated = left,
        };
    }
}
