using System.Text;
using System.Text.Json;
using System.Xml;

namespace NzbDav.Api.Sab.Answers;

/// <summary>
/// An answer as XML (<c>output=xml</c>), in SABnzbd's form: the only member of an answer is its root, otherwise <c>result</c>; the
/// elements of a list are named in the singular, those that have members of their own <c>slot</c>.
/// </summary>
internal static class SabXml
{
    public static byte[] Of(JsonElement answer)
    {
        using var bytes = new MemoryStream();
        var settings = new XmlWriterSettings
        { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), CheckCharacters = false };
        using (var xml = XmlWriter.Create(bytes, settings))
        {
            var members = answer.EnumerateObject().ToList();
            if (members is [{ Value.ValueKind: JsonValueKind.Object or JsonValueKind.Array } only])
            {
                xml.WriteStartElement(NameOf(only.Name));
                WriteInside(xml, only.Name, only.Value);
            }
            else
            {
                xml.WriteStartElement("result");
                WriteInside(xml, "result", answer);
            }

            xml.WriteEndElement();
        }

        return bytes.ToArray();
    }

    private static void WriteInside(XmlWriter xml, string name, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (var member in value.EnumerateObject())
                    Write(xml, member.Name, member.Value, member.Name);
                break;
            case JsonValueKind.Array:
                foreach (var item in value.EnumerateArray())
                    Write(xml, item.ValueKind == JsonValueKind.Object ? Singular(name, "slot") : Singular(name, "item"), item, name);
                break;
            case JsonValueKind.True or JsonValueKind.False:
                // As Python spells them.
                xml.WriteString(value.GetBoolean() ? "True" : "False");
                break;
            case JsonValueKind.Null or JsonValueKind.Undefined:
                break;
            default:
                xml.WriteString(Clean(value.ToString()));
                break;
        }
    }

    private static void Write(XmlWriter xml, string element, JsonElement value, string name)
    {
        xml.WriteStartElement(NameOf(element));
        WriteInside(xml, name, value);
        xml.WriteEndElement();
    }

    private static string Singular(string plural, string otherwise) => plural switch
    {
        "categories" => "category",
        "servers" or "slots" or "nzo_ids" or "files" or "scripts" or "warnings" or "actions" => plural[..^1],
        _ => otherwise,
    };

    // Names of providers and dates may not be valid element names.
    private static string NameOf(string name) => XmlConvert.EncodeLocalName(name) is { Length: > 0 } encoded ? encoded : "item";

    private static string Clean(string text) => text.AsSpan().ContainsAnyExceptInRange('\u0020', '\uD7FF')
        ? string.Concat(text.EnumerateRunes()
            .Where(static rune => rune.Value is '\t' or '\n' or '\r' or >= 0x20 and not (0xFFFE or 0xFFFF))
                .Select(static rune => rune.ToString()))
        : text;
}
