using System.Globalization;
using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting.Display;

namespace NzbDav.Host.Logging;

/// <summary>
/// Adds lines to a <see cref="LogRing"/> with secrets removed, like console and files. There is no exception for the first user's link, because remote users can see
/// these lines. Thread-safe.
/// </summary>
internal sealed class RingSink(LogRing ring, SecretFilter secrets) : ILogEventSink
{
    private readonly MessageTemplateTextFormatter _message = new("{Message:lj}", CultureInfo.InvariantCulture);

    public void Emit(LogEvent logEvent)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        _message.Format(logEvent, text);
        var category = logEvent.Properties.TryGetValue("SourceContext", out var source) && source is ScalarValue { Value: string name } ? name : "";
        ring.Add(logEvent.Timestamp.ToUniversalTime(), LevelOf(logEvent.Level), category, secrets.Clean(text.ToString()), logEvent.Exception is { } fault ? secrets.Clean(fault.ToString()) : null);
    }

    private static LogLineLevel LevelOf(LogEventLevel level) => level switch
    {
        LogEventLevel.Verbose => LogLineLevel.Trace,
        LogEventLevel.Debug => LogLineLevel.Debug,
        LogEventLevel.Information => LogLineLevel.Information,
        LogEventLevel.Warning => LogLineLevel.Warning,
        LogEventLevel.Error => LogLineLevel.Error,
        _ => LogLineLevel.Critical,
    };
}
