using System.Globalization;
using Serilog.Events;
using Serilog.Formatting;
using Serilog.Formatting.Display;
using Serilog.Formatting.Json;

namespace NzbDav.Host.Logging;

/// <summary>Formats console lines as short text or as JSON, according to the setting at the time. Thread-safe.</summary>
internal sealed class ConsoleFormatter(LogControl control) : ITextFormatter
{
    private readonly JsonFormatter _json = new(renderMessage: true, formatProvider: CultureInfo.InvariantCulture);
    private readonly MessageTemplateTextFormatter _text = new("{Timestamp:HH:mm:ss} {Level:u3} {Message:lj}{NewLine}{Exception}", CultureInfo.InvariantCulture);

    public void Format(LogEvent logEvent, TextWriter output)
    {
        if (control.IsJson)
            _json.Format(logEvent, output);
        else
            _text.Format(logEvent, output);
    }
}
