using System.Globalization;
using Serilog.Events;
using Serilog.Formatting;

namespace NzbDav.Host.Logging;

/// <summary>
/// Formats a line with another formatter and removes secrets from all of it: message, properties and exception. The only exception is the line that has to show a
/// secret: how to create the first user. Thread-safe.
/// </summary>
internal sealed class RedactingFormatter(ITextFormatter inner, SecretFilter secrets) : ITextFormatter
{
    /// <summary>The category of that line.</summary>
    public const string SetupCategory = "NzbDav.Host.Setup";

    public void Format(LogEvent logEvent, TextWriter output)
    {
        if (logEvent.Properties.TryGetValue("SourceContext", out var category) && category is ScalarValue { Value: string name } && name == SetupCategory)
        {
            inner.Format(logEvent, output);
            return;
        }

        using var line = new StringWriter(CultureInfo.InvariantCulture);
        inner.Format(logEvent, line);
        output.Write(secrets.Clean(line.ToString()));
    }
}
