package dev.kubeinformer.maven;

/**
 * Program that writes its arguments.
 */
public final class Echo {

	private Echo() {
	}

	public static void main(String[] args) {
		System.out.print(String.join("|", args));
	}

}
