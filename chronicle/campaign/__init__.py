"""The book of campaigns, and the live handle on one: begin, do, look back, go back, branch, tell."""

from chronicle.campaign.book import Chronicle
from chronicle.campaign.handle import Campaign
from chronicle.campaign.played import PlayedTurn, Stale

__all__ = ["Campaign", "Chronicle", "PlayedTurn", "Stale"]
