using System.Security;

namespace NzbDav.Api.Native.Files;

/// <summary>Text in XML.</summary>
internal static class XmlText
{
    /// <summary>Escapes markup and removes characters that XML 1.0 cannot represent.</summary>
    public static string Escape(string text) => SecurityElement.Escape(string.Concat(text.Where(c => c is '\t' or >= ' ' and not ('\uFFFE' or '\uFFFF'))));
}
