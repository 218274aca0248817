namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>When an account's quota begins anew.</summary>
public enum QuotaPeriod
{
    /// <summary>Never: a block account.</summary>
    Never,

    /// <summary>At midnight.</summary>
    Day,

    /// <summary>At midnight of a day of the week.</summary>
    Week,

    /// <summary>At midnight of a day of the month.</summary>
    Month,
}
