namespace NzbDav.Migration.Titles;

/// <summary>Another program's data cannot be read as a whole. The message names the file and says what to do.</summary>
public sealed class MigrationException : Exception
{
    public MigrationException()
    {
    }

    public MigrationException(string message)
        : base(message)
    {
    }

    public MigrationException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
