package com.example.fleetview;

import java.util.Arrays;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;

/**
 * Version of a Deployment: the tag of its first image.
 *
 * @param text the tag
 */
record Version(String text) implements Comparable<Version> {

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

	static Version of(V1Deployment deployment) {
		V1Container first = deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
		return ofImage(first.getImage());
	}

	static Version ofImage(String image) {
		String withoutDigest = image.replaceFirst("@.*", "");
		int colon = withoutDigest.lastIndexOf(':');
		// A colon before the last slash is that of a port.
		boolean tagged = colon > withoutDigest.lastIndexOf('/');
		return new Version(tagged ? withoutDigest.substring(colon + 1) : "latest");
	}

	/**
	 * Compares the numbers of both tags. Tags without a number, such as {@code latest},
	 * are the oldest.
	 */
	@Override
	public int compareTo(Version other) {
		return Arrays.compare(numbers(), other.numbers());
	}

	private int[] numbers() {
		// 1.2.0-rc1 is not newer than 1.2.0, and 1.2.0-alpine3 is not either.
		String release = this.text.replaceFirst("(?<=[0-9])[-_.]?[A-Za-z].*", "");
		return NUMBER.matcher(release).results().mapToInt((number) -> Integer.parseInt(number.group())).toArray();
	}

}
