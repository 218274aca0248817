using System.Security;

namespace NzbDav.Api.Native.Files;

/// <summary>Text as XML has it.</summary>
internal static class XmlText
{
    /// <summary>Escapes what would be markup; leaves out what XML 1.0 cannot hold.</summary>
    public static string Escape(string text) => SecurityElement.Escape(string.Concat(text.Where(c => c is '\t' or >= ' ' and not ('\uFFFE' or '\uFFFF'))));
}
