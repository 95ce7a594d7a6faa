package com.example.crashloopalerts;

import java.net.http.HttpClient;
import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * Receiver of the alerts. It may get one twice: if this application ends between the
 * message and the annotation.
 */
@Component
class Webhook {

	private final RestClient client;

	Webhook(@Value("${alerts.webhook}") String url, @Value("${alerts.timeout:5s}") Duration timeout) {
		JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
				HttpClient.newBuilder().connectTimeout(timeout).build());
		requests.setReadTimeout(timeout);
		this.client = RestClient.builder().baseUrl(url).requestFactory(requests).build();
	}

	/**
	 * Sends an alert.
	 * @throws org.springframework.web.client.RestClientException if the receiver does not
	 * respond, or responds with an error
	 */
	void send(CrashLoop loop) {
		this.client.post().contentType(MediaType.APPLICATION_JSON).body(loop).retrieve().toBodilessEntity();
	}

}
