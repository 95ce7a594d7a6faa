package dev.kubeinformer.internal.client.tls;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;

/**
 * Trusts certificates signed by the authorities of a configuration, by the rules of Go's
 * {@code x509.Certificate.Verify}. These differ from the rules of the JDK in three ways.
 * Any certificate of the configuration may be the last one of a certificate path, even an
 * intermediate certificate or the certificate of the server. An expired authority is not
 * accepted. The key usage of the server's certificate is ignored.
 */
final class AuthorityTrust implements X509TrustManager {

	private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

	private static final String ANY_USE = "2.5.29.37.0";

	/** Index of the bit in a key usage that allows signing certificates. */
	private static final int CERT_SIGN = 5;

	/** Maximum number of certificates that the JDK accepts from a server. */
	private static final int LONGEST_PATH = 10;

	private final Authorities authorities;

	private final ClientTime time;

	AuthorityTrust(Authorities authorities, ClientTime time) {
		this.authorities = authorities;
		this.time = time;
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		List<X509Certificate> trusted = this.authorities.current();
		try {
			verify(chain, trusted);
		}
		catch (CertificateException ex) {
			if (!this.authorities.lookAfter(trusted)) {
				throw ex;
			}
			verify(chain, this.authorities.current());
		}
	}

	private void verify(X509Certificate[] chain, List<X509Certificate> trusted) throws CertificateException {
		Date now = Date.from(this.time.clock().instant());
		X509Certificate server = chain[0];
		server.checkValidity(now);
		List<X509Certificate> path = new ArrayList<>();
		path.add(server);
		if (!trusted.contains(server)) {
			path.addAll(signers(chain, trusted, now));
		}
		for (X509Certificate certificate : path) {
			List<String> uses = certificate.getExtendedKeyUsage();
			if (uses != null && !uses.contains(SERVER_AUTH) && !uses.contains(ANY_USE)) {
				throw new CertificateException("The certificate of '%s' may not be used for a server"
					.formatted(certificate.getSubjectX500Principal()));
			}
		}
	}

	private static List<X509Certificate> signers(X509Certificate[] chain, List<X509Certificate> trusted, Date now)
			throws CertificateException {
		Set<TrustAnchor> anchors = trusted.stream()
			.filter((anchor) -> isValid(anchor, now) && maySign(anchor))
			.map((anchor) -> new TrustAnchor(anchor, null))
			.collect(Collectors.toSet());
		if (anchors.isEmpty()) {
			throw untrusted(chain, trusted, now, null);
		}
		try {
			X509CertSelector target = new X509CertSelector();
			target.setCertificate(chain[0]);
			PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
			parameters
				.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(chain))));
			parameters.setRevocationEnabled(false);
			parameters.setMaxPathLength(LONGEST_PATH);
			parameters.setDate(now);
			PKIXCertPathBuilderResult result = (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX")
				.build(parameters);
			List<X509Certificate> signers = new ArrayList<>();
			for (Certificate certificate : result.getCertPath().getCertificates()) {
				signers.add((X509Certificate) certificate);
			}
			signers.add(result.getTrustAnchor().getTrustedCert());
			return signers;
		}
		catch (CertPathBuilderException ex) {
			throw untrusted(chain, trusted, now, ex);
		}
		catch (InvalidAlgorithmParameterException ex) {
			throw new CertificateException("Unusable certificate authority: " + ex.getMessage(), ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("This JVM cannot verify certificates", ex);
		}
	}

	private static boolean isValid(X509Certificate anchor, Date now) {
		return !now.before(anchor.getNotBefore()) && !now.after(anchor.getNotAfter());
	}

	private static boolean maySign(X509Certificate anchor) {
		// Same as Certificate.CheckSignatureFrom in Go, which ignores the key usage of
		// other certificates.
		boolean[] usage = anchor.getKeyUsage();
		return (anchor.getVersion() < 3 || anchor.getBasicConstraints() >= 0) && (usage == null || usage[CERT_SIGN]);
	}

	private static CertificateException untrusted(X509Certificate[] chain, List<X509Certificate> trusted, Date now,
			@Nullable CertPathBuilderException cause) {
		// TlsProblem recognises the reason by the types of the causes.
		for (X509Certificate authority : trusted) {
			if (now.after(authority.getNotAfter()) && List.of(chain)
				.stream()
				.anyMatch((signed) -> signed.getIssuerX500Principal().equals(authority.getSubjectX500Principal()))) {
				String expired = "the authority '%s' expired at %s".formatted(authority.getSubjectX500Principal(),
						authority.getNotAfter().toInstant());
				return new CertificateException("No trusted authority has signed the certificate; " + expired,
						new CertPathBuilderException(expired, new CertificateExpiredException(expired)));
			}
		}
		return new CertificateException("No trusted authority has signed the certificate", (cause != null) ? cause
				: new CertPathBuilderException("no authority is currently valid for signing certificates"));
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		throw new CertificateException("Clients are not verified here");
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return this.authorities.current().toArray(new X509Certificate[0]);
	}

}
