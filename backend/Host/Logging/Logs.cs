using System.Globalization;
using Microsoft.Extensions.Options;
using NzbDav.Host.Settings;
using Serilog;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Formatting.Display;

namespace NzbDav.Host.Logging;

/// <summary>Log lines: short ones on the console, all of them in files of a day each under <c>logs/</c>, kept for a week, and the latest in memory. None holds a secret.</summary>
internal static class Logs
{
    /// <param name="logging">Where they come from.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="settings">Levels, and how lines look.</param>
    /// <param name="secrets">What must not be in them.</param>
    /// <param name="forCommand">For a command, whose standard output is its result: warnings only, on standard error.</param>
    public static void Use(ILoggingBuilder logging, string folder, OperationSettings settings, SecretFilter secrets, bool forCommand = false)
    {
        var ring = new LogRing();
        var control = new LogControl(settings.LogLevels, settings.LogJson);
        var file = new MessageTemplateTextFormatter("{Timestamp:O} {Level:u3} [{SourceContext}] {Message:lj}{NewLine}{Exception}", CultureInfo.InvariantCulture);
        var logger = new LoggerConfiguration()
            // LogControl decides, for each category and before a line is made.
            .MinimumLevel.Verbose()
            // Whoever starts the server hears of it in one line; the trace of it says no more.
            .Filter.ByExcluding(line => line.MessageTemplate.Text == "Hosting failed to start")
            .WriteTo.Console(
                new RedactingFormatter(new ConsoleFormatter(control), secrets),
                restrictedToMinimumLevel: forCommand ? LogEventLevel.Warning : LevelAlias.Minimum,
                standardErrorFromLevel: forCommand ? LevelAlias.Minimum : null)
            .WriteTo.File(
                new RedactingFormatter(file, secrets),
                Path.Combine(folder, "logs", "nzbdav-.log"),
                rollingInterval: RollingInterval.Day,
                retainedFileCountLimit: 7,
                fileSizeLimitBytes: 50 << 20,
                rollOnFileSizeLimit: true)
            .WriteTo.Sink(new RingSink(ring, secrets))
            .CreateLogger();
        logging.ClearProviders();
        logging.Services.AddSingleton<ILoggerProvider>(_ => new SerilogLoggerProvider(logger, dispose: true));
        logging.Services.AddSingleton(_ => control);
        logging.Services.AddSingleton(ring);
        logging.Services.AddSingleton<IConfigureOptions<LoggerFilterOptions>>(control);
        logging.Services.AddSingleton<IOptionsChangeTokenSource<LoggerFilterOptions>>(control);
    }
}
