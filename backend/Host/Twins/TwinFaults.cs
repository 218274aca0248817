namespace NzbDav.Host.Twins;

/// <summary>Describes why a folder could not be updated.</summary>
internal static class TwinFaults
{
    // errno(3), numbered as on Linux.
    private const int NotPermitted = 1;
    private const int AccessDenied = 13;
    private const int NoSpace = 28;
    private const int ReadOnly = 30;
    private const int QuotaExceeded = 122;

    public static string Explain(string folder, Exception fault)
    {
        var detail = fault.Message.TrimEnd('.');
        return fault switch
        {
            UnauthorizedAccessException or IOException { HResult: NotPermitted or AccessDenied } => $"{folder} cannot be written: the server's user has no permission to write there ({detail}).",
            IOException { HResult: ReadOnly } => $"{folder} cannot be written: it is mounted read-only ({detail}).",
            IOException { HResult: NoSpace or QuotaExceeded } => $"{folder} cannot be written: there is no room left ({detail}).",
            _ => $"{folder} could not be updated: {detail}.",
        };
    }
}
