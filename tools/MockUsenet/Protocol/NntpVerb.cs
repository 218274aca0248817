namespace NzbDav.MockUsenet.Protocol;

/// <summary>The commands that the server supports.</summary>
internal enum NntpVerb
{
    Unknown,
    Capabilities,
    ModeReader,
    AuthInfoUser,
    AuthInfoPass,
    Group,
    Stat,
    Head,
    Body,
    Article,
    Date,
    Help,
    Quit,
}
