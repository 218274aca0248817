using System.Globalization;
using Serilog.Events;
using Serilog.Formatting;

namespace NzbDav.Host.Logging;

/// <summary>Writes a line as another formatter would, without secrets: message, properties and exception alike. Thread-safe.</summary>
internal sealed class RedactingFormatter(ITextFormatter inner, SecretFilter secrets) : ITextFormatter
{
    public void Format(LogEvent logEvent, TextWriter output)
    {
        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(logEvent, line);
        output.Write(secrets.Clean(line.ToString()));
    }
}
