using System.Globalization;
using NzbDav.Arr.Client;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    /// <summary>The settings of one more *arr, with <c>#</c> in place of its number.</summary>
    public static IReadOnlyList<SettingEntry> ArrTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.ReadArr("Arrs:#", 0);
        return [.. reader._entries.Values];
    }

    private List<ArrSettings> ReadArrs()
    {
        var arrs = new List<ArrSettings>();
        foreach (var section in _root.GetSection("Arrs").GetChildren())
        {
            var path = $"Arrs:{section.Key}";
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
                Fault(path, "they are numbered: NzbDav__Arrs__0__Url and so on.");
            else if (ReadArr(path, number) is { } arr)
                arrs.Add(arr);
        }

        return arrs;
    }

    private ArrSettings? ReadArr(string path, int number)
    {
        var kind = Choice($"{path}:Application");
        var (name, url, key, category) = (Text($"{path}:Name"), Text($"{path}:Url") ?? "", Secret($"{path}:ApiKey") ?? "", Text($"{path}:Category"));
        var tidies = Flag($"{path}:TidyQueue", otherwise: true);
        var (theirs, here) = (Text($"{path}:LibraryPath"), Text($"{path}:LibraryPathHere"));
        if (!Enum.TryParse<ArrApplication>(kind, ignoreCase: true, out var application) || !Enum.IsDefined(application) || char.IsAsciiDigit(kind![0]))
        {
            Fault($"{path}:Application", "it must be Sonarr, Radarr, Lidarr or Prowlarr.");
            return null;
        }

        var options = new ArrOptions { Application = application, Url = url, ApiKey = key };
        if (options.Problem() is { } problem)
        {
            Fault(path, problem);
            return null;
        }

        if (theirs is null != here is null)
            Fault(path, "LibraryPath and LibraryPathHere must be set together.");
        return new ArrSettings
        {
            Number = number,
            Name = name ?? application.ToString(),
            Options = options,
            Category = category ?? application switch { ArrApplication.Sonarr => "tv", ArrApplication.Radarr => "movies", ArrApplication.Lidarr => "music", _ => "other" },
            TidiesQueue = tidies && application != ArrApplication.Prowlarr,
            Library = theirs is not null && here is not null ? (theirs, here) : null,
        };
    }
}
