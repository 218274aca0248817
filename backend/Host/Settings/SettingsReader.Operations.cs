using NzbDav.Host.Logging;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    private string? ReadRecordTo()
    {
        var folder = Text("Streams:RecordTo");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Streams:RecordTo", $"'{folder}' is not an absolute path.");
        return folder;
    }

    private OperationSettings ReadOperations()
    {
        var defaults = new OperationSettings();
        var folder = Text("Backup:Folder");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Backup:Folder", $"'{folder}' is not an absolute path.");
        return new OperationSettings
        {
            BackupEveryHours = Number("Backup:EveryHours", defaults.BackupEveryHours, 0, 8_760),
            BackupKeep = Number("Backup:Keep", defaults.BackupKeep, 1, 1_000),
            BackupFolder = folder,
            LogLevels = ReadLogLevels(),
            LogJson = Flag("Log:Json", defaults.LogJson),
            Otlp = ReadOtlp(),
        };
    }

    private LogLevels ReadLogLevels()
    {
        var levels = new LogLevels();
        if (Choice("Log:Level", LogLevelNames.Of(levels.Level)) is { } text)
        {
            if (LogLevelNames.Read(text) is { } level)
                levels = levels with { Level = level };
            else
                Fault("Log:Level", $"'{text}' is not one of {LogLevelNames.All}.");
        }

        var categories = new Dictionary<string, LogLevel>(levels.Categories, StringComparer.OrdinalIgnoreCase);
        foreach (var entry in Names("Log:Categories",
            string.Join(',', levels.Categories.Select(category => $"{category.Key}={LogLevelNames.Of(category.Value)}"))) ?? [])
        {
            if (entry.Split('=', 2, StringSplitOptions.TrimEntries) is [{ Length: > 0 } category, var name]
                && LogLevelNames.Read(name) is { } level)
                categories[category] = level;
            else
                Fault("Log:Categories", $"'{entry}' is not like NzbDav.Usenet=debug; levels are {LogLevelNames.All}.");
        }

        return levels with { Categories = categories };
    }

    private OtlpSettings? ReadOtlp()
    {
        var (endpoint, protocol, headers) = (Text("Otlp:Endpoint"), Choice("Otlp:Protocol", "http/protobuf"), Secret("Otlp:Headers"));
        if (protocol is not (null or "grpc" or "http/protobuf"))
            Fault("Otlp:Protocol", $"'{protocol}' is neither grpc nor http/protobuf.");
        if (headers is not null && Array.Exists(headers.Split(','), header => header.IndexOf('=', StringComparison.Ordinal) < 1))
            Fault("Otlp:Headers", "it is not like name=value,name=value.");
        if (endpoint is null)
            return null;
        if (Uri.TryCreate(endpoint, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            return new OtlpSettings(address, protocol == "grpc", headers);
        Fault("Otlp:Endpoint", $"'{endpoint}' is not an address such as http://collector:4318.");
        return null;
    }
}
