package dev.kubeinformer.internal.client.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

import org.jspecify.annotations.Nullable;

/**
 * Sends one certificate to any server that requests one, as client-go does
 * ({@code transport.TLSConfigFor}, {@code GetClientCertificate}), even if the server does
 * not list the authority that signed the certificate.
 */
final class IdentityKeys extends X509ExtendedKeyManager {

	private static final String ALIAS = "client";

	private final ClientIdentity identity;

	IdentityKeys(ClientIdentity identity) {
		this.identity = identity;
	}

	@Override
	public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers,
			@Nullable Socket socket) {
		return choose(keyTypes);
	}

	@Override
	public @Nullable String chooseEngineClientAlias(String[] keyTypes, Principal @Nullable [] issuers,
			@Nullable SSLEngine engine) {
		return choose(keyTypes);
	}

	private @Nullable String choose(String[] keyTypes) {
		String algorithm = this.identity.chain().get(0).getPublicKey().getAlgorithm();
		return Arrays.asList(keyTypes).contains(algorithm) ? ALIAS : null;
	}

	@Override
	public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
		return (choose(new String[] { keyType }) != null) ? new String[] { ALIAS } : null;
	}

	@Override
	public X509Certificate @Nullable [] getCertificateChain(String alias) {
		return ALIAS.equals(alias) ? this.identity.chain().toArray(new X509Certificate[0]) : null;
	}

	@Override
	public @Nullable PrivateKey getPrivateKey(String alias) {
		return ALIAS.equals(alias) ? this.identity.key() : null;
	}

	@Override
	public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
		return null;
	}

	@Override
	public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
		return null;
	}

}
