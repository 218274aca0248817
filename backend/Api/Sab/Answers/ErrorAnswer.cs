using NzbDav.Access.Attempts;

namespace NzbDav.Api.Sab.Answers;

/// <summary>The call failed, with the reason.</summary>
internal sealed record ErrorAnswer(string Error)
{
    public static readonly ErrorAnswer KeyRequired = new("API Key Required");

    public static readonly ErrorAnswer KeyIncorrect = new("API Key Incorrect");

    /// <summary>Not an answer of SABnzbd, which has no rate limit.</summary>
    public static readonly ErrorAnswer TooMany = new(AttemptGate.TooMany);

    public static readonly ErrorAnswer NotImplemented = new("not implemented");

    public static readonly ErrorAnswer OneParameter = new("expects one parameter");

    public static readonly ErrorAnswer TwoParameters = new("expects two parameters");

    public static readonly ErrorAnswer Integer = new("expects integer value");

    public static readonly ErrorAnswer NoItem = new("item does not exist");

    public static readonly ErrorAnswer NoFile = new("no file given");

    public bool Status { get; init; }
}
