using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Migration.Sabnzbd;

namespace NzbDav.Fuzz.Formats;

/// <summary>SABnzbd's settings.</summary>
internal sealed class IniTarget() : FuzzTarget("ini", "SABnzbd's sabnzbd.ini")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [.. "[misc]|[servers]|[[a]]|]]|host = a|password = !!!encoded!!!|port = |ssl = 1|ssl_verify = |priority = |\"|'|#|\n|[categories]|[[*]]".Split('|').Select(Text)];

    public override IEnumerable<byte[]> Seeds() =>
        [Text("__version__ = 19\n[misc]\nnzb_backup_dir = \"copies\"\n[servers]\n[[a]]\nhost = news.example.com\nport = 563\nssl = " +
        "1\npassword = !!!encoded!!!61 a62\npriority = 3\n[categories]\n[[*]]\n[[tv]]\ndir = tv\n")];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var settings = SabnzbdSettings.Of(SabnzbdIni.Parse(Encoding.UTF8.GetString(input)));
        return $"{string.Join('|', settings.Providers)} {string.Join('|', settings.Categories)} {string.Join('|', settings.NotMigrated)}";
    }
}
