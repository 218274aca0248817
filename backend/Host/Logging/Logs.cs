using System.Globalization;
using Microsoft.Extensions.Options;
using Serilog;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Formatting;
using Serilog.Formatting.Display;
using Serilog.Formatting.Json;

namespace NzbDav.Host.Logging;

/// <summary>
/// Sets up the log: short lines on the console, full lines in daily files under <c>logs/</c>, kept for a week, and the latest lines in
/// memory. Secrets are removed from all.
/// </summary>
internal static class Logs
{
    /// <param name="logging">The logging builder to configure.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="levels">The levels to log.</param>
    /// <param name="json">True: each line on the console is a JSON object.</param>
    /// <param name="secrets">Removes secrets.</param>
    /// <param name="forCommand">For a command, whose standard output is its result: only warnings, on standard error.</param>
    public static void Use(
        ILoggingBuilder logging, string folder, LogLevels levels, bool json, SecretFilter secrets, bool forCommand = false)
    {
        var ring = new LogRing();
        var control = new LogControl(levels, json);
        var file = new MessageTemplateTextFormatter(
            "{Timestamp:O} {Level:u3} [{SourceContext}] {Message:lj}{NewLine}{Exception}", CultureInfo.InvariantCulture);
        var logger = new LoggerConfiguration()
            // LogControl decides by category, before a line is formatted.
            .MinimumLevel.Verbose()
            // The program prints a start failure itself in one line; this trace adds nothing.
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

/// <summary>
/// Formats a line with another formatter and removes secrets from all of it: message, properties and exception. The only exception is the
/// line that has to show a secret: how to create the first user. Thread-safe.
/// </summary>
internal sealed class RedactingFormatter(ITextFormatter inner, SecretFilter secrets) : ITextFormatter
{
    /// <summary>The category of that line.</summary>
    public const string SetupCategory = "NzbDav.Host.Setup";

    public void Format(LogEvent logEvent, TextWriter output)
    {
        if (logEvent.Properties.TryGetValue("SourceContext", out var category) && category is ScalarValue { Value: string name }
            && name == SetupCategory)
        {
            inner.Format(logEvent, output);
            return;
        }

        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(logEvent, line);
        output.Write(secrets.Clean(line.ToString()));
    }
}

/// <summary>Formats console lines as short text or as JSON, according to the setting at the time. Thread-safe.</summary>
internal sealed class ConsoleFormatter(LogControl control) : ITextFormatter
{
    private readonly JsonFormatter _json = new(renderMessage: true, formatProvider: CultureInfo.InvariantCulture);
    private readonly MessageTemplateTextFormatter _text = new(
        "{Timestamp:HH:mm:ss} {Level:u3} {Message:lj}{NewLine}{Exception}", CultureInfo.InvariantCulture);

    public void Format(LogEvent logEvent, TextWriter output)
    {
        if (control.IsJson)
            _json.Format(logEvent, output);
        else
            _text.Format(logEvent, output);
    }
}
