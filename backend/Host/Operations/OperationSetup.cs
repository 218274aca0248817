using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Backup;
using NzbDav.Host.About;
using NzbDav.Host.Changing;
using NzbDav.Host.Guide;
using NzbDav.Host.Health;
using NzbDav.Host.Logging;
using NzbDav.Host.Serving;
using NzbDav.Host.Telemetry;

namespace NzbDav.Host.Operations;

/// <summary>Registers the services for operators: backups, log, support bundle, health, orderly shutdown.</summary>
internal static class OperationSetup
{
    public static void AddOperations(this IServiceCollection services, SecretFilter secrets, RestorePlan restore, bool hasOthers)
    {
        services.AddSingleton(secrets);
        services.AddDrain(hasOthers);
        services.AddHealth();
        services.ConfigureHttpJsonOptions(options =>
        {
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, OperationJson.Default);
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, SettingsJson.Default);
        });
        services.AddTopic<SettingsTopic, SettingsEventBody>();
        services.AddTopic<LogTopic, LogEventBody>();
        services.AddSingleton(restore).AddSingleton<UploadFolder>();
        services.AddSingleton<Backups>();
        services.AddSingleton<BackupKeeper>();
        services.AddHostedService(provider => provider.GetRequiredService<BackupKeeper>());
        services.AddSingleton<SupportBundle>();
        services.AddSingleton<SupportState>();
        services.AddHostedService<OtlpService>();
        services.AddSingleton<PlayedMark>().AddHostedService(provider => provider.GetRequiredService<PlayedMark>());
    }

    public static void MapOperations(this WebApplication app)
    {
        var api = app.MapGroup("/api/v1");
        api.MapBackups();
        api.MapRestore();
        api.MapLog();
        api.MapSupport();
        api.MapAbout();
        api.MapGuide();
    }
}

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, Converters = [typeof(CamelCaseEnum<LogLineLevel>)])]
[JsonSerializable(typeof(BackupBody))]
[JsonSerializable(typeof(BackupListBody))]
[JsonSerializable(typeof(LogEventBody))]
[JsonSerializable(typeof(LogLevelsBody))]
[JsonSerializable(typeof(LogPageBody))]
[JsonSerializable(typeof(RestoreStateBody))]
internal sealed partial class OperationJson : JsonSerializerContext;
