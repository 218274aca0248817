using System.Globalization;
using NzbDav.Host.Serving;
using Serilog.Events;
using Serilog.Formatting;

namespace NzbDav.Host.Logging;

/// <summary>
/// Writes a line as another formatter would, without secrets: message, properties and exception alike. But for the one line that is there to tell a secret: how the
/// first user is made. Thread-safe.
/// </summary>
internal sealed class RedactingFormatter(ITextFormatter inner, SecretFilter secrets) : ITextFormatter
{
    public void Format(LogEvent logEvent, TextWriter output)
    {
        if (logEvent.Properties.TryGetValue("SourceContext", out var category) && category is ScalarValue { Value: string name } && name == typeof(SetupNotice).FullName)
        {
            inner.Format(logEvent, output);
            return;
        }

        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(logEvent, line);
        output.Write(secrets.Clean(line.ToString()));
    }
}
