using System.Globalization;
using Serilog;
using Serilog.Events;
using Serilog.Extensions.Logging;

namespace NzbDav.Host.Serving;

/// <summary>Log lines: short ones on the console, all of them in files of a day each under <c>logs/</c>, kept for a week.</summary>
internal static class Logs
{
    /// <param name="logging">Where they come from.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="forCommand">For a command, whose standard output is its result: warnings only, on standard error.</param>
    public static void Use(ILoggingBuilder logging, string folder, bool forCommand = false)
    {
        var logger = new LoggerConfiguration()
            .MinimumLevel.Information()
            .MinimumLevel.Override("Microsoft", LogEventLevel.Warning)
            // Whoever starts the server hears of it in one line; the trace of it says no more.
            .Filter.ByExcluding(line => line.MessageTemplate.Text == "Hosting failed to start")
            .WriteTo.Console(
                outputTemplate: "{Timestamp:HH:mm:ss} {Level:u3} {Message:lj}{NewLine}{Exception}",
                formatProvider: CultureInfo.InvariantCulture,
                restrictedToMinimumLevel: forCommand ? LogEventLevel.Warning : LevelAlias.Minimum,
                standardErrorFromLevel: forCommand ? LevelAlias.Minimum : null)
            .WriteTo.File(
                Path.Combine(folder, "logs", "nzbdav-.log"),
                rollingInterval: RollingInterval.Day,
                retainedFileCountLimit: 7,
                fileSizeLimitBytes: 50 << 20,
                rollOnFileSizeLimit: true,
                outputTemplate: "{Timestamp:O} {Level:u3} [{SourceContext}] {Message:lj}{NewLine}{Exception}",
                formatProvider: CultureInfo.InvariantCulture)
            .CreateLogger();
        logging.ClearProviders();
        logging.Services.AddSingleton<ILoggerProvider>(_ => new SerilogLoggerProvider(logger, dispose: true));
    }
}
