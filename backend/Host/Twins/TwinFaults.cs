namespace NzbDav.Host.Twins;

/// <summary>Says in words why a folder could not be brought up to date.</summary>
internal static class TwinFaults
{
    // errno(3), as Linux numbers them.
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
            UnauthorizedAccessException or IOException { HResult: NotPermitted or AccessDenied } => $"{folder} cannot be written: the user that the server runs as may not write there ({detail}).",
            IOException { HResult: ReadOnly } => $"{folder} cannot be written: it is mounted read-only ({detail}).",
            IOException { HResult: NoSpace or QuotaExceeded } => $"{folder} cannot be written: there is no room left ({detail}).",
            _ => $"{folder} could not be brought up to date: {detail}.",
        };
    }
}
