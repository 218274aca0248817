namespace NzbDav.Usenet.Nzb;

/// <summary>Collects warnings, up to a number that a person still reads.</summary>
internal sealed class NzbWarnings
{
    private const int Most = 100;

    private readonly List<NzbWarning> _list = [];
    private int _more;

    public void Add((int Line, int Column) where, string message)
    {
        if (_list.Count < Most)
            _list.Add(new NzbWarning(where.Line, where.Column, message));
        else
            _more++;
    }

    public IReadOnlyList<NzbWarning> ToList() =>
        _more == 0 ? _list : [.. _list, new NzbWarning(1, 1, $"{_more} more warnings are not listed.")];
}
