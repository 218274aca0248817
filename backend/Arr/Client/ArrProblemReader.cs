using System.Text;
using System.Text.Json;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <summary>
/// Reads the body of a failed call: an array of <c>{propertyName, errorMessage}</c> after a failed validation, an object with
/// <c>message</c> otherwise, or no JSON at all. Never throws.
/// </summary>
internal static class ArrProblemReader
{
    /// <param name="body">The body of the answer.</param>
    /// <param name="longest">Most characters of the message.</param>
    public static (string Message, IReadOnlyList<ArrValidation> Validations) Read(byte[] body, int longest)
    {
        var (message, validations) = Parse(body);
        return (message.Length > longest ? message[..longest] + "…" : message, validations);
    }

    private static (string Message, IReadOnlyList<ArrValidation> Validations) Parse(byte[] body)
    {
        if (body.Length == 0)
            return (string.Empty, []);
        try
        {
            switch (FirstByte(body))
            {
                case (byte)'[':
                    var validations = JsonSerializer.Deserialize(body, ArrJson.Default.ArrValidationArray) ?? [];
                    return (string.Join("; ", validations.Select(v => $"{v.PropertyName}: {v.ErrorMessage}")), validations);
                case (byte)'{':
                    return (JsonSerializer.Deserialize(body, ArrJson.Default.ArrMessage)?.Message ?? string.Empty, []);
                case (byte)'<':
                    return ("a page of HTML", []);
            }
        }
        catch (JsonException)
        {
            // An unknown shape: the text is quoted as it is.
        }

        return (Encoding.UTF8.GetString(body, 0, Math.Min(body.Length, 2048)).Trim(), []);
    }

    private static byte FirstByte(byte[] body)
    {
        var at = body.AsSpan().IndexOfAnyExcept(" \t\r\n"u8);
        return at < 0 ? (byte)0 : body[at];
    }
}
