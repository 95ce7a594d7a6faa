package dev.kubeinformer.benchmark.shards;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import com.sun.management.OperatingSystemMXBean;

/**
 * Reads the watch of a share of the pods from a TLS connection and drops the bytes. It
 * prints the processor time of each half minute: the floor for a replica that has this
 * share.
 */
public final class ReadWatch {

	private static final BigInteger HASHES = BigInteger.ONE.shiftLeft(64);

	private ReadWatch() {
	}

	/**
	 * Reads until the connection ends.
	 * @param arguments the URL of the API server, whose certificate is not checked; a
	 * bearer token; the resourceVersion to watch from; the index of the share; the number
	 * of shares
	 * @throws IOException if the connection fails
	 * @throws GeneralSecurityException if there is no TLS
	 */
	public static void main(String... arguments) throws IOException, GeneralSecurityException {
		URI server = URI.create(arguments[0]);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, new TrustManager[] { new TrustAll() }, new SecureRandom());
		try (Socket socket = context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
			socket.getOutputStream()
				.write("""
						GET /api/v1/pods?watch=1&resourceVersion=%s%s HTTP/1.1
						Host: %s
						Authorization: Bearer %s
						Accept: application/vnd.kubernetes.protobuf;stream=watch

						"""
					.formatted(arguments[2], selector(arguments[3], arguments[4]), server.getHost(), arguments[1])
					.replace("\n", "\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			InputStream input = socket.getInputStream();
			String status = new String(input.readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
			if (!status.endsWith(" 200")) {
				throw new IOException("The API server responded with '%s'".formatted(status));
			}
			drop(input);
		}
	}

	private static String selector(String index, String total) {
		BigInteger shares = new BigInteger(total);
		BigInteger first = HASHES.multiply(new BigInteger(index)).divide(shares);
		BigInteger end = HASHES.multiply(new BigInteger(index).add(BigInteger.ONE)).divide(shares);
		String range = "shardRange(object.metadata.uid, '0x%016x', '0x%016x')".formatted(first, end);
		return shares.equals(BigInteger.ONE) ? ""
				: "&shardSelector=" + URLEncoder.encode(range, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private static void drop(InputStream input) throws IOException {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		byte[] bytes = new byte[1 << 16];
		long nextReport = System.nanoTime();
		long before = system.getProcessCpuTime();
		long read = 0;
		for (int length = input.read(bytes); length >= 0; length = input.read(bytes)) {
			read += length;
			if (System.nanoTime() >= nextReport) {
				long now = system.getProcessCpuTime();
				System.out.printf(Locale.ROOT, "%.2f s of CPU, %d bytes%n", (now - before) / 1e9, read);
				before = now;
				read = 0;
				nextReport = System.nanoTime() + Duration.ofSeconds(30).toNanos();
			}
		}
	}

	private static final class TrustAll extends X509ExtendedTrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String type) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String type) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
