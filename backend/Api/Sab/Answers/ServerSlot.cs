namespace NzbDav.Api.Sab.Answers;

/// <summary>A provider in the status.</summary>
internal sealed record ServerSlot
{
    public required string Servername { get; init; }

    public required int Servertotalconn { get; init; }

    public required int Serveractiveconn { get; init; }

    public required int Serverpriority { get; init; }

    public bool Serveroptional { get; init; }

    public required bool Serveractive { get; init; }

    public required string Servererror { get; init; }

    public IReadOnlyList<object> Serverconnections { get; init; } = [];
}
