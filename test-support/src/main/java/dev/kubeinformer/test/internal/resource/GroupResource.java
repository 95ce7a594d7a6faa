package dev.kubeinformer.test.internal.resource;

/**
 * Group and plural of a resource, without its version. Objects are stored by this name,
 * so all versions of a resource have the same objects.
 *
 * @param group the API group, empty for the core group
 * @param plural the plural name of the resource, as in its path
 */
public record GroupResource(String group, String plural) {

	// Do not use the generated methods of a record: the JVM generates them on first use,
	// which takes a large part of the time for the start of a server.
	@Override
	public boolean equals(Object other) {
		return other instanceof GroupResource that && this.group.equals(that.group) && this.plural.equals(that.plural);
	}

	@Override
	public int hashCode() {
		return 31 * this.group.hashCode() + this.plural.hashCode();
	}

	/**
	 * Returns the name of the resource in messages of Kubernetes, such as
	 * "deployments.apps".
	 */
	@Override
	public String toString() {
		return (this.group.isEmpty()) ? this.plural : this.plural + "." + this.group;
	}

}
